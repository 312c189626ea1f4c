package dev.peregrine.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.server.observe.FailedHandshake;
import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HandshakeNotes;
import dev.peregrine.testing.HttpsClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.UnixSocket;
import java.io.IOException;
import java.nio.file.Path;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS on Unix domain sockets. */
final class TlsUnixIT {
  private static final int LARGE = 1_000_000;

  @RegisterExtension final Servers servers = new Servers();
  @TempDir Path folder;
  private final HandshakeNotes notes = new HandshakeNotes();

  private Path start(Handler handler) {
    Path path = folder.resolve("s");
    servers.watch(
        Peregrine.builder()
            .loops(1)
            .limits(Servers.LIMITS)
            .transport(Servers.TRANSPORT)
            .connectionListener(notes)
            .endpoint(Endpoint.unix(path).with(Certificates.TLS))
            .handler(handler)
            .start());
    return path;
  }

  private static byte[] exchange(Path path, String version, byte[] request) throws IOException {
    try (SSLSocket secured =
        (SSLSocket)
            Certificates.client(null)
                .getSocketFactory()
                .createSocket(new UnixSocket(path), "localhost", 443, true)) {
      secured.setEnabledProtocols(new String[] {version});
      secured.getOutputStream().write(request);
      return secured.getInputStream().readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void isSpokenAsOnAPort(String version) throws IOException {
    Path path = start(HttpsClient.FACTS);

    assertThat(new String(exchange(path, version, Requests.bytes(HttpsClient.REQUEST)), ISO_8859_1))
        .startsWith("HTTP/1.1 200 OK\r\n")
        .endsWith("https true " + version + " null null 0");
    notes.expectNone();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void carriesMuchContentBothWays(String version) throws IOException {
    byte[] content = Requests.content(LARGE);
    Path path =
        start(
            Handlers.blocking((request, response) -> response.send(request.body().readAll(LARGE))));
    byte[] head =
        Requests.bytes(
            "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: "
                + LARGE
                + "\r\n\r\n");

    assertThat(exchange(path, version, Requests.join(head, content))).endsWith(content);
  }

  @Test
  void reportsAFailedHandshake() throws Exception {
    Path path = start(HttpsClient.FACTS);

    try (UnixSocket plain = new UnixSocket(path)) {
      plain.getOutputStream().write(Requests.bytes(HttpsClient.REQUEST));
      assertThat(new String(plain.getInputStream().readAllBytes(), ISO_8859_1))
          .startsWith("HTTP/1.1 400 ")
          .contains("HTTPS");
    }
    FailedHandshake failed = notes.failure();
    assertThat(failed.reason()).isEqualTo(HandshakeFailure.PLAIN_HTTP);
  }
}
