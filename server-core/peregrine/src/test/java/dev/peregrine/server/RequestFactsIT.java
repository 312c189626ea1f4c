package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The facts that a handler reads of a request's line and fields. */
final class RequestFactsIT {
  @RegisterExtension final Servers servers = new Servers();

  @Test
  void showsTheRequestAsItWasSent() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              assertThat(request.method()).isEqualTo(HttpMethod.PUT);
              assertThat(request.methodName()).isEqualTo("PUT");
              assertThat(request.version()).isEqualTo(Servers.VERSION);
              assertThat(request.target()).isEqualTo("/a/b%20c?d=e&f");
              assertThat(request.path()).isEqualTo("/a/b%20c");
              assertThat(request.pathIs("/a/b%20c")).isTrue();
              assertThat(request.pathIs("/a/b%20")).isFalse();
              assertThat(request.pathIs("/a/b%20cc")).isFalse();
              assertThat(request.query()).isEqualTo("d=e&f");
              assertThat(request.host()).isEqualTo("example.org:81");
              assertThat(request.header("x-one")).isEqualTo("1");
              assertThat(request.header("X-None")).isNull();
              assertThat(request.header(KnownHeader.ACCEPT)).isEqualTo("*/*");
              assertThat(request.header(KnownHeader.COOKIE)).isNull();
              assertThat(request.hasHeader(KnownHeader.ACCEPT)).isTrue();
              assertThat(request.hasHeader(KnownHeader.COOKIE)).isFalse();
              assertThat(request.headers("X-ONE")).containsExactly("1", "2\u00e9");
              assertThat(request.headers("X-None")).isEmpty();
              assertThat(request.headerCount()).isEqualTo(4);
              int last = Servers.HTTP_2 ? 2 : 3; // before Host, which is added
              assertThat(request.headerName(last)).isEqualTo(Servers.received("X-oNe"));
              assertThat(request.headerValue(last)).isEqualTo("2\u00e9");
              assertThatThrownBy(() -> request.headerName(4))
                  .isInstanceOf(IndexOutOfBoundsException.class);
              assertThatThrownBy(() -> request.headerValue(-1))
                  .isInstanceOf(IndexOutOfBoundsException.class);
              assertThat(request.remoteAddress().toString()).contains("127.0.0.1");
              assertThat(request.localAddress().toString()).contains("127.0.0.1");
              assertThat(request.isUpgrade()).isFalse();
              response.text("all as sent");
            });

    RawClient client =
        servers
            .connect(server)
            .send(
                Requests.lines(
                    "PUT /a/b%20c?d=e&f HTTP/1.1",
                    "Host: example.org:81", "Accept: */*", "X-One: \t1 \t", "X-oNe: 2\u00e9"));

    assertThat(client.read().text()).isEqualTo("all as sent");
  }

  @Test
  void findsTheSameFieldsByTextBeforeAndAfterNamesAreRecognised() {
    List<String> names =
        List.of(
            "ACCEPT", "accept", "X-one", "Range", "Server", "\u212aeep-Alive", "Acc\u00e8pt", "");
    HttpServer server =
        servers.start(
            (request, response) -> {
              // the first value that is read has all names recognised
              List<List<String>> before = names.stream().map(request::headers).toList();
              assertThat(names.stream().map(request::headers)).isEqualTo(before);
              assertThat(names.stream().map(request::header))
                  .containsExactly("a", "a", "1", null, "s", null, null, null);
              assertThat(before.getFirst()).containsExactly("a", "b");
              response.text("the same");
            });

    RawClient client =
        servers
            .connect(server)
            .send(
                Requests.lines(
                    "GET / HTTP/1.1",
                    "Host: a",
                    "Keep-Alive: 1",
                    "X-One: 1",
                    "Accept: a",
                    "Server: s",
                    "aCCEPT: b"));

    assertThat(client.read().text()).isEqualTo("the same");
  }

  private static void showTarget(Request request, Response response) {
    response.text(
        request.method()
            + " "
            + request.methodName()
            + " "
            + request.target()
            + " "
            + request.path()
            + " "
            + request.query()
            + " "
            + request.host());
  }

  @Test
  void showsMethodsAndTargets() {
    RawClient client = servers.connect(servers.start(RequestFactsIT::showTarget));

    client.send("GET /c?d HTTP/1.1\r\nHost: b:8080\r\n\r\n");
    assertThat(client.read().text()).isEqualTo("GET GET /c?d /c d b:8080");
    client.send("BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.read().text()).isEqualTo("OTHER BREW /pot /pot null a");
    client.send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.read().text()).isEqualTo("OPTIONS OPTIONS * * null a");
  }

  @OnlyHttp1("the absolute form, and a request without a host")
  @Test
  void showsTargetsOfHttp1() {
    RawClient client = servers.connect(servers.start(RequestFactsIT::showTarget));

    client.send("GET http://b:8080/c?d HTTP/1.1\r\nHost: b:8080\r\n\r\n");
    assertThat(client.read().text()).isEqualTo("GET GET http://b:8080/c?d /c d b:8080");
    client.send("GET /? HTTP/1.1\r\nHost:\r\n\r\n");
    assertThat(client.read().text()).isEqualTo("GET GET /? /  ");
    client.send("GET / HTTP/1.0\r\n\r\n");
    assertThat(client.read().text()).isEqualTo("GET GET / / null null");
  }
}
