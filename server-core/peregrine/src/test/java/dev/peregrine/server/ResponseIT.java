package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The status and the fields that a handler sets, as received by a client. */
final class ResponseIT {
  @RegisterExtension final Servers servers = new Servers();

  @OnlyHttp1("reason phrases")
  @Test
  void sendsStatusesWithAndWithoutAReasonPhrase() {
    HttpServer server = servers.start((request, response) -> response.status(size(request)).send());
    RawClient client = servers.connect(server);
    for (int status = 200; status < 600; status++) {
      RawResponse response = client.get("/" + status).read();
      HttpStatus known = HttpStatus.of(status);
      assertThat(response.status()).isEqualTo(status);
      assertThat(response.reason()).isEqualTo(known == null ? "" : known.reason());
    }
  }

  @Test
  void sendsFieldsAsTheHandlerSetThem() {
    HttpServer server =
        servers.start(
            (request, response) ->
                response
                    .header("X-One", "first")
                    .header("x-one", "second")
                    .addHeader("Set-Cookie", "a=1")
                    .addHeader("Set-Cookie", "b=2")
                    .header("X-Latin", "\u00e9\t\u00ff")
                    .header("X-Empty", "")
                    .header("X-Removed", "no")
                    .contentType(ContentType.APPLICATION_JSON)
                    .send(Requests.bytes("{}")));

    RawResponse response = servers.connect(server).get("/").read();

    assertThat(response.header("X-One")).isEqualTo("second");
    assertThat(response.headers("Set-Cookie")).containsExactly("a=1", "b=2");
    assertThat(response.header("X-Latin")).isEqualTo("\u00e9\t\u00ff");
    assertThat(response.header("X-Empty")).isEmpty();
    assertThat(response.header("Content-Type")).isEqualTo("application/json");
  }

  @Test
  void sendsTheLastContentTypeThatWasSet() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              switch (request.path()) {
                case "/field" ->
                    response
                        .contentType(ContentType.TEXT_PLAIN)
                        .header("content-type", "image/png")
                        .send();
                case "/type" ->
                    response
                        .header("Content-Type", "image/png")
                        .contentType(ContentType.TEXT_PLAIN)
                        .send();
                case "/kept" -> response.header("Content-Type", "text/css").text("a{}");
                case "/html" -> response.html("<p>");
                default -> response.text("text");
              }
            });
    RawClient client = servers.connect(server);

    assertThat(client.get("/field").read().header("Content-Type")).isEqualTo("image/png");
    assertThat(client.get("/type").read().header("Content-Type")).isEqualTo("text/plain");
    assertThat(client.get("/kept").read().header("Content-Type")).isEqualTo("text/css");
    assertThat(client.get("/html").read().header("Content-Type"))
        .isEqualTo("text/html; charset=utf-8");
    assertThat(client.get("/").read().header("Content-Type"))
        .isEqualTo("text/plain; charset=utf-8");
  }

  @Test
  void sendsFieldsOfManyKilobytes() {
    String value = "v".repeat(50_000);
    HttpServer server =
        servers.start((request, response) -> response.header("X-Long", value).text("content"));
    RawClient client = servers.connect(server);

    client.send(Requests.join(Requests.get("/"), Requests.get("/")));

    for (int i = 0; i < 2; i++) {
      RawResponse response = client.read();
      assertThat(response.header("X-Long")).isEqualTo(value);
      assertThat(response.text()).isEqualTo("content");
    }
  }

  @Test
  void leavesServerAndDateToTheHandlerThatSetsThem() {
    String date = "Sun, 06 Nov 1994 08:49:37 GMT";
    HttpServer server =
        servers.start(
            (request, response) -> {
              switch (request.path()) {
                case "/date" -> response.header("date", date).send();
                case "/server" -> response.header("server", "Other").send();
                default -> response.send();
              }
            });
    RawClient client = servers.connect(server);

    RawResponse withDate = client.get("/date").read();
    assertThat(withDate.header("Date")).isEqualTo(date);
    assertThat(withDate.header("Server")).isEqualTo("Peregrine");
    RawResponse withServer = client.get("/server").read();
    assertThat(withServer.header("Server")).isEqualTo("Other");
    assertThat(withServer.header("Date")).isNotEqualTo(date);
    RawResponse withNeither = client.get("/").read();
    assertThat(withNeither.header("Server")).isEqualTo("Peregrine");
    assertThat(withNeither.header("Date")).isNotEqualTo(date);
  }

  @Test
  void namesTheServerByTheOption() {
    Handler handler = (request, response) -> response.status(size(request)).send();
    HttpServer named = servers.start(handler, options -> options.serverName("Caf\u00e9/1.0 (x)"));
    HttpServer unnamed = servers.start(handler, options -> options.serverName(""));

    for (String status : List.of("/200", "/404")) {
      assertThat(servers.connect(named).get(status).read().header("Server"))
          .isEqualTo("Caf\u00e9/1.0 (x)");
      assertThat(servers.connect(unnamed).get(status).read().header("Server")).isNull();
    }
  }

  @Test
  void rejectsChangesOfAResponseThatWasSent() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async(); // so that the response object isn't reused
              response.text("first");
              expectSent(() -> response.text("second"));
              expectSent(() -> response.send(new byte[1]));
              expectSent(() -> response.status(404));
              expectSent(() -> response.header("X", "y"));
              expectSent(() -> response.addHeader("X", "y"));
              expectSent(() -> response.contentType(ContentType.TEXT_PLAIN));
              expectSent(response::stream);
              expectSent(response::outputStream);
              assertThat(response.isCommitted()).isTrue();
              response.complete();
            });
    RawClient client = servers.connect(server);

    assertThat(client.get("/").read().text()).isEqualTo("first");
    assertThat(client.get("/").read().text()).isEqualTo("first");
  }

  @Test
  void rejectsFieldsThatOnlyTheServerSets() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              expectRefused(() -> response.header("Transfer-Encoding", "chunked"));
              expectRefused(() -> response.addHeader("transfer-encoding", "gzip"));
              expectRefused(() -> response.header("Connection", "keep-alive"));
              expectRefused(() -> response.header("Content-Length", "-1"));
              expectRefused(() -> response.header("Content-Length", "+1"));
              expectRefused(() -> response.header("Content-Length", "1 "));
              expectRefused(() -> response.header("Content-Length", ""));
              expectRefused(() -> response.header("Content-Length", "99999999999999999999"));
              expectRefused(() -> response.status(199));
              expectRefused(() -> response.status(100));
              expectRefused(() -> response.status(600));
              expectRefused(() -> response.status(-200));
              response.text("unharmed");
            });

    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("unharmed");
  }

  private static void expectSent(Runnable change) {
    assertThatThrownBy(change::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("sent already");
  }

  private static void expectRefused(Runnable change) {
    assertThatThrownBy(change::run).isInstanceOf(IllegalArgumentException.class);
  }

  private static int size(Request request) {
    return Integer.parseInt(request.path().substring(1));
  }
}
