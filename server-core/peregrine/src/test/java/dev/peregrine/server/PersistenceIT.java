package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.RawResponse.Framing;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The persistence of connections after a response (RFC 9112 section 9.3). */
final class PersistenceIT {
  private static final Handler HELLO = (request, response) -> response.text("Hello");

  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @CsvSource({
    "1.1, ,                     true",
    "1.1, keep-alive,           true",
    "1.1, Keep-Alive,           true",
    "1.1, close,                false",
    "1.1, Close,                false",
    "1.1, 'keep-alive, close',  false",
    "1.1, 'x, close , y',       false",
    "1.1, closed,               true",
    "1.0, ,                     false",
    "1.0, keep-alive,           true",
    "1.0, 'x, Keep-Alive',      true",
    "1.0, 'keep-alive, close',  false",
    "1.0, close,                false",
  })
  void persistsByVersionAndConnectionField(String version, String connection, boolean goesOn) {
    RawClient client = servers.connect(servers.start(HELLO));
    String field = connection == null ? "" : "Connection: " + connection + "\r\n";
    String request = "GET / HTTP/" + version + "\r\nHost: test\r\n" + field + "\r\n";

    client.send(request);
    RawResponse response = client.read();

    assertThat(response.text()).isEqualTo("Hello");
    assertThat(response.saysClose()).isEqualTo(!goesOn);
    if (goesOn) {
      boolean sayIt = version.equals("1.0");
      assertThat(response.header("Connection")).isEqualTo(sayIt ? "keep-alive" : null);
      client.send(request);
      assertThat(client.read().text()).isEqualTo("Hello");
    } else {
      client.expectEnd();
    }
  }

  @Test
  void closesWhenTheHandlerSetsConnectionClose() {
    HttpServer server =
        servers.start((request, response) -> response.header("Connection", "close").text("bye"));
    RawClient client = servers.connect(server);

    client.send(Requests.join(Requests.get("/"), Requests.get("/")));

    RawResponse response = client.read();
    assertThat(response.text()).isEqualTo("bye");
    assertThat(response.saysClose()).isTrue();
    client.expectEnd();
  }

  @Test
  void marksTheEndOfContentWithoutALengthByTheCloseForHttp10() {
    HttpServer server =
        servers.start(
            (request, response) -> response.stream().write(Requests.bytes("all of it")).complete());
    RawClient client = servers.connect(server);

    client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");

    RawResponse response = client.read();
    assertThat(response.framing()).isEqualTo(Framing.TO_CLOSE);
    assertThat(response.saysClose()).isTrue();
    assertThat(response.text()).isEqualTo("all of it");
  }

  @Test
  void treatsALaterMinorVersionLike11() {
    RawClient client = servers.connect(servers.start(HELLO));

    client.send("GET / HTTP/1.2\r\nHost: test\r\n\r\n").get("/");

    assertThat(client.read().text()).isEqualTo("Hello");
    assertThat(client.read().text()).isEqualTo("Hello");
  }

  @Test
  void endsAConnectionThatTheClientEnds() {
    RawClient client = servers.connect(servers.start(HELLO));

    client.halfClose().expectEnd();
  }

  @Test
  void closesAfterAsManyRequestsAsTheLimitAllows() {
    HttpServer server =
        servers.start(HELLO, Servers.LIMITS.toBuilder().requestsPerConnectionMax(3).build());
    RawClient client = servers.connect(server);

    client.send("GET / HTTP/1.1\r\nHost: test\r\n\r\n".repeat(5));

    assertThat(client.read().saysClose()).isFalse();
    assertThat(client.read().saysClose()).isFalse();
    assertThat(client.read().saysClose()).isTrue();
    client.expectEnd();
  }
}
