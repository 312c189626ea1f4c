package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.Peregrine;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.SetCookie;
import dev.peregrine.http.events.EventStream;
import dev.peregrine.http.route.Routes;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text that a handler passes on can't end a line of the response (response splitting). */
final class InjectionIT {
  private static final String EVIL = "Evil: yes";

  @RegisterExtension final Servers servers = new Servers();

  // U+010A and U+010D end with the bytes of LF and CR.
  @ParameterizedTest
  @ValueSource(
      strings = {"\r\n", "\r", "\n", "\0", "\u0001", "\u007f", "\u010a", "\u010d", "\ud83d"})
  void rejectsFieldValuesThatCouldEndALine(String ending) {
    String value = "a" + ending + EVIL;
    expectNothingOnTheWire(
        response -> {
          expectRefused(() -> response.header("X", value));
          expectRefused(() -> response.addHeader("X", value));
          expectRefused(() -> response.header("Location", "/there" + value));
          expectRefused(() -> response.header("Content-Type", value));
          expectRefused(() -> response.header("Connection", "close" + value));
          expectRefused(() -> response.header("Content-Length", "1" + value));
          expectRefused(() -> response.redirect("/there" + value));
          expectRefused(() -> ContentType.of(value));
          expectRefused(() -> PreparedFields.of("X", value));
          expectRefused(() -> SetCookie.of("X", value));
          expectRefused(() -> SetCookie.of("X", "").path("/" + value));
          expectRefused(() -> SetCookie.of("X", "").domain(value));
        });
  }

  /** Decoded text of paths, queries and cookies is checked like any other. */
  @Test
  void rejectsLineEndsThatWereEncoded() {
    Routes routes =
        Routes.builder()
            .get("/path/{x}", (in, out) -> out.header("X", in.pathParameter("x")).send())
            .get("/query", (in, out) -> out.redirect("/there?" + in.queryParameter("x")))
            .get("/cookie", (in, out) -> out.setCookie(cookie(in.queryParameter("x"))).send())
            .get("/type", (in, out) -> out.contentType(type(in.queryParameter("x"))).send())
            .build();
    HttpServer server = servers.start(routes);
    String evil = "a%0d%0aEvil:%20yes";

    for (String target :
        List.of("/path/" + evil, "/query?x=" + evil, "/cookie?x=" + evil, "/type?x=" + evil)) {
      RawResponse response = servers.connect(server).get(target).read();
      assertThat(response.status()).as(target).isEqualTo(500);
      assertThat(response.toString()).doesNotContain("Evil");
      for (LogRecord line : servers.log().await(Level.SEVERE)) {
        assertThat(ServerLog.describe(line)).doesNotContain("\r", "\n");
      }
    }
  }

  private static SetCookie cookie(@Nullable String value) {
    return SetCookie.of("X", String.valueOf(value));
  }

  private static ContentType type(@Nullable String value) {
    return ContentType.of(String.valueOf(value));
  }

  /** The lines of an event stream are content, but text in one event must not begin another. */
  @Test
  void endsNoEventByItsText() {
    String evil = "a\r\rdata: evil\n\ndata: evil\r\n\r\ndata: evil";
    HttpServer server =
        servers.start(
            (request, response) -> {
              EventStream events = EventStream.open(response);
              events.send(evil);
              events.comment(evil);
              events.close();
            });

    String[] lines = servers.connect(server).get("/").read().text().split("\n", -1);

    assertThat(lines).filteredOn(line -> line.startsWith("data: evil")).isEmpty();
    assertThat(lines).filteredOn(String::isEmpty).hasSize(3); // two events, and the end
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "X ", " X", "X\r\nY", "X\n", "X:", "X\0", "X\u00e9", "\u0158", "(X)", "X,Y"
      })
  void rejectsFieldNamesThatAreNotTokens(String name) {
    expectNothingOnTheWire(
        response -> {
          expectRefused(() -> response.header(name, "value"));
          expectRefused(() -> response.addHeader(name, "value"));
        });
  }

  @Test
  void rejectsTrailersThatCouldEndALine() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              ResponseStream stream = response.stream().write(Requests.bytes("content"));
              expectRefused(() -> stream.trailer("X", "a\r\n" + EVIL));
              expectRefused(() -> stream.trailer("X\r\n" + EVIL, "a"));
              expectRefused(() -> stream.trailer("", "a"));
              stream.complete();
            });
    RawClient client = servers.connect(server);

    RawResponse response = client.get("/").read();

    assertThat(response.text()).isEqualTo("content");
    assertThat(response.trailers()).isEmpty();
    assertThat(client.get("/").read().text()).isEqualTo("content");
  }

  @Test
  void rejectsTrailersThatWouldFrameTheMessage() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              ResponseStream stream = response.stream().write(Requests.bytes("content"));
              for (String name :
                  List.of("Content-Length", "transfer-encoding", "Trailer", "Host")) {
                expectRefused(() -> stream.trailer(name, "1"));
              }
              stream.complete();
            });

    assertThat(servers.connect(server).get("/").read().trailers()).isEmpty();
  }

  @Test
  void rejectsAServerNameThatCouldEndALine() {
    assertThatThrownBy(() -> Peregrine.builder().serverName("a\r\n" + EVIL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("serverName");
  }

  @Test
  void sendsTheMessageOfAnHttpExceptionAsContentOnly() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              throw new HttpException(404, "a\r\n" + EVIL + "\r\n\r\nmore");
            });

    RawResponse response = servers.connect(server).get("/").read();

    assertThat(response.status()).isEqualTo(404);
    assertThat(response.header("Evil")).isNull();
    assertThat(response.text()).contains(EVIL);
  }

  private void expectNothingOnTheWire(Consumer<Response> attempts) {
    HttpServer server =
        servers.start(
            (request, response) -> {
              attempts.accept(response);
              response.text("content");
            });

    RawClient client =
        servers
            .connect(server)
            .send(Requests.lines("GET / HTTP/1.1", "Host: test", "Connection: close"));
    String all = new String(client.readToEnd(), StandardCharsets.ISO_8859_1);

    assertThat(all)
        .startsWith("HTTP/1.1 200 OK\r\n")
        .doesNotContain("Evil", "X")
        .endsWith("content");
  }

  private static void expectRefused(Runnable attempt) {
    assertThatThrownBy(attempt::run).isInstanceOf(IllegalArgumentException.class);
  }
}
