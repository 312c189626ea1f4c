package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpResponse;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing that a handler passes on can end a line of the response (response splitting). */
final class InjectionIT {
  private static final String EVIL = "Evil: yes";

  @RegisterExtension final Servers servers = new Servers();

  // U+010A and U+010D end with the bytes of LF and CR.
  @ParameterizedTest
  @ValueSource(
      strings = {"\r\n", "\r", "\n", "\0", "\u0001", "\u007f", "\u010a", "\u010d", "\ud83d"})
  void refusesFieldValuesThatCouldEndALine(String ending) {
    String value = "a" + ending + EVIL;
    expectNothingOnTheWire(
        response -> {
          expectRefused(() -> response.header("X", value));
          expectRefused(() -> response.addHeader("X", value));
          expectRefused(() -> response.header("Location", "/there" + value));
          expectRefused(() -> response.header("Content-Type", value));
          expectRefused(() -> response.header("Connection", "close" + value));
          expectRefused(() -> response.header("Content-Length", "1" + value));
          expectRefused(() -> ContentType.of(value));
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "X ", " X", "X\r\nY", "X\n", "X:", "X\0", "X\u00e9", "\u0158", "(X)", "X,Y"
      })
  void refusesFieldNamesThatAreNoTokens(String name) {
    expectNothingOnTheWire(
        response -> {
          expectRefused(() -> response.header(name, "value"));
          expectRefused(() -> response.addHeader(name, "value"));
        });
  }

  @Test
  void refusesTrailersThatCouldEndALine() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              ResponseStream stream = response.stream().write(Requests.bytes("content"));
              expectRefused(() -> stream.trailer("X", "a\r\n" + EVIL));
              expectRefused(() -> stream.trailer("X\r\n" + EVIL, "a"));
              expectRefused(() -> stream.trailer("", "a"));
              stream.end();
            });
    RawClient client = servers.connect(server);

    RawResponse response = client.get("/").read();

    assertThat(response.text()).isEqualTo("content");
    assertThat(response.trailers()).isEmpty();
    assertThat(client.get("/").read().text()).isEqualTo("content");
  }

  @Test
  void refusesTrailersThatWouldFrameTheMessage() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              ResponseStream stream = response.stream().write(Requests.bytes("content"));
              for (String name :
                  List.of("Content-Length", "transfer-encoding", "Trailer", "Host")) {
                expectRefused(() -> stream.trailer(name, "1"));
              }
              stream.end();
            });

    assertThat(servers.connect(server).get("/").read().trailers()).isEmpty();
  }

  @Test
  void refusesAServerNameThatCouldEndALine() {
    assertThatThrownBy(() -> HttpServer.builder().serverName("a\r\n" + EVIL))
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

  private void expectNothingOnTheWire(Consumer<HttpResponse> attempts) {
    HttpServer server =
        servers.start(
            (request, response) -> {
              attempts.accept(response);
              response.header("Connection", "close").text("content");
            });

    String all =
        new String(servers.connect(server).get("/").readToEnd(), StandardCharsets.ISO_8859_1);

    assertThat(all)
        .startsWith("HTTP/1.1 200 OK\r\n")
        .doesNotContain("Evil", "X")
        .endsWith("content");
  }

  private static void expectRefused(Runnable attempt) {
    assertThatThrownBy(attempt::run).isInstanceOf(IllegalArgumentException.class);
  }
}
