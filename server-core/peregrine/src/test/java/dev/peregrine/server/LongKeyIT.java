package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.openssl.Identity;
import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.server.tls.Tls;
import dev.peregrine.server.tls.layer.TlsCredential;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HandshakeNotes;
import dev.peregrine.testing.HandshakeSocket;
import dev.peregrine.testing.HandshakeSocket.End;
import dev.peregrine.testing.HttpsClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Handshakes with a key whose signature takes too long for an event loop. */
final class LongKeyIT {
  private static final Identity RSA = Identity.ofRsa(3072);
  private static final TlsCredential LONG =
      new TlsCredential(RSA.keys().getPrivate(), List.of(RSA.certificate()));
  private static final int HANDSHAKE_BYTES_MAX = 2_000;
  private static final byte[] CONTENT = new byte[300_000];

  @RegisterExtension final Servers servers = new Servers();
  @TempDir Path folder;

  private final HandshakeNotes notes = new HandshakeNotes();
  private HttpServer server;

  @BeforeEach
  void start() {
    Arrays.fill(CONTENT, (byte) 'x');
    Handler handler =
        (request, response) ->
            request.body().receiveAll(CONTENT.length, content -> response.send(content));
    Tls tls = Certificates.builder(folder, LONG).build();
    server = servers.start(handler, options -> options.with(tls).connectionListener(notes));
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void servesRequestsAfterTheHandshake(String version) throws IOException {
    for (int i = 0; i < 3; i++) { // in the memory of earlier handshakes, too
      try (SSLSocket client =
          HttpsClient.connect(server, Certificates.client(), HttpsClient.version(version))) {
        client
            .getOutputStream()
            .write(
                Requests.bytes(
                    "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: "
                        + CONTENT.length
                        + "\r\n\r\n"));
        client.getOutputStream().write(CONTENT);
        byte[] response = client.getInputStream().readAllBytes();
        assertThat(Arrays.copyOfRange(response, response.length - CONTENT.length, response.length))
            .isEqualTo(CONTENT);
        assertThat(client.getSession().getPeerCertificates()).containsExactly(RSA.certificate());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100})
  void servesAClientWhoseHelloComesInSeveralRecords(int fragmentBytes) throws IOException {
    try (HandshakeSocket socket = HandshakeSocket.splitting(server.address(), fragmentBytes);
        SSLSocket client =
            (SSLSocket)
                Certificates.client()
                    .getSocketFactory()
                    .createSocket(socket, "localhost", server.port(), true)) {
      client.getOutputStream().write(Requests.bytes(HttpsClient.REQUEST));
      assertThat(client.getInputStream().readNBytes(15))
          .isEqualTo(Requests.bytes("HTTP/1.1 200 OK"));
    }
  }

  @Test
  void refusesClientsWithAnAlert() throws Exception {
    SSLException refused =
        HttpsClient.refused(
            server,
            Certificates.client(),
            options -> options.setApplicationProtocols(new String[] {"smtp"}));

    assertThat(refused).hasMessageContaining("no_application_protocol");
    assertThat(notes.failure().reason()).isEqualTo(HandshakeFailure.NO_APPLICATION_PROTOCOL);
  }

  /** Row S14 of the attacks: {@link Servers} checks that nothing is left. */
  @ParameterizedTest
  @CsvSource({"TLSv1.3, RESET", "TLSv1.3, HALF_CLOSE", "TLSv1.2, RESET", "TLSv1.2, CLOSE"})
  void releasesEverythingWhereverAHandshakeIsCut(String version, End end) throws IOException {
    int cuts = 0;
    for (int bytes = 1; bytes < HANDSHAKE_BYTES_MAX; bytes += 61) {
      HandshakeSocket socket = HandshakeSocket.cutAfter(server.address(), bytes, end);
      try (SSLSocket client =
          (SSLSocket)
              Certificates.client()
                  .getSocketFactory()
                  .createSocket(socket, "localhost", server.port(), true)) {
        client.setEnabledProtocols(new String[] {version});
        client.startHandshake();
      } catch (IOException cut) {
        cuts++;
      } finally {
        socket.close();
      }
    }
    assertThat(cuts).isPositive();
    Await.until("all are closed", () -> server.connectionCount() == 0);
  }
}
