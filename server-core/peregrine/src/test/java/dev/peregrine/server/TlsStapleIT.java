package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.server.tls.Tls;
import dev.peregrine.server.tls.TlsEngineKind;
import dev.peregrine.server.tls.layer.TlsCredential;
import dev.peregrine.server.tls.openssl.OpenSslEngine;
import dev.peregrine.server.tls.pem.OcspSamples;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HttpsClient;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.logging.Level;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** OCSP responses that are stapled to certificates; the JDK's engine can't. */
final class TlsStapleIT {
  @RegisterExtension final Servers servers = new Servers();
  @TempDir Path folder;

  private final TlsCredential credential = Certificates.create("localhost");

  private byte[] response(Duration validFor) {
    Instant now = Instant.now();
    return OcspSamples.response(
        credential.chain().getFirst(),
        OcspSamples.Status.GOOD,
        now.minus(Duration.ofDays(2)),
        now.plus(validFor));
  }

  private Path write(byte[] response) throws IOException {
    return Files.write(folder.resolve("ocsp.der"), response);
  }

  private Tls.Builder builder() {
    return Certificates.builder(folder, credential);
  }

  private HttpServer start(Tls tls) {
    return servers.start(HttpsClient.FACTS, options -> options.with(tls));
  }

  private static List<byte[]> stapled(HttpServer server, String version) throws IOException {
    try (SSLSocket socket =
        HttpsClient.connect(server, Certificates.client(null), HttpsClient.version(version))) {
      socket.startHandshake();
      return ((ExtendedSSLSession) socket.getSession()).getStatusResponses();
    }
  }

  private static void needsOpenSsl() {
    assumeTrue(
        Certificates.ENGINE != TlsEngineKind.JDK && OpenSslEngine.problem() == null,
        "only OpenSSL staples responses");
  }

  @Test
  void staplesTheResponseOfAFile() throws IOException {
    needsOpenSsl();
    byte[] first = response(Duration.ofDays(1));
    byte[] second = response(Duration.ofDays(2));
    Tls tls = builder().ocspResponse(write(first)).build();
    HttpServer server = start(tls);

    for (String version : List.of("TLSv1.3", "TLSv1.2")) {
      assertThat(stapled(server, version)).containsExactly(first);
    }
    write(second);
    assertThat(tls.reload()).isTrue();
    assertThat(tls.reload()).isFalse();
    for (String version : List.of("TLSv1.3", "TLSv1.2")) {
      assertThat(stapled(server, version)).containsExactly(second);
    }
  }

  @Test
  void servesWithoutAResponseThatCanNotBeUsed() throws IOException {
    needsOpenSsl();
    Path file = write(response(Duration.ofDays(-1)));
    Tls tls = builder().ocspResponse(file).build();
    HttpServer server = start(tls);

    servers.log().expectOne(Level.WARNING, "no OCSP response is stapled: " + file + " has an");
    assertThat(stapled(server, "TLSv1.3")).isEmpty();
    assertThat(HttpsClient.served(server, "localhost")).isEqualTo("CN=localhost");
    write(new byte[] {1, 2, 3});
    assertThat(tls.reload()).isFalse();
    assertThat(tls.reload()).isFalse();
    servers.log().expectOne(Level.WARNING, "isn't an OCSP response");
    write(response(Duration.ofDays(1)));
    assertThat(tls.reload()).isTrue();
    assertThat(stapled(server, "TLSv1.3")).hasSize(1);
  }

  @Test
  void reportsAResponseThatExpiresLater() throws IOException {
    needsOpenSsl();
    Path file = write(response(Duration.ofSeconds(2)));
    Tls tls = builder().ocspResponse(file).reloadAutomatically(Duration.ofMillis(10)).build();
    HttpServer server = start(tls);

    Await.until(
        "the log says that it has expired",
        () ->
            servers.log().take(Level.WARNING).stream()
                .anyMatch(line -> line.getMessage().contains("OCSP response that expired at")));
    assertThat(stapled(server, "TLSv1.3")).isEmpty();
  }

  @Test
  void rejectsAResponseThatWouldNotBeSent() throws IOException {
    Path file = write(response(Duration.ofDays(1)));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().ocspResponse(file).engine(TlsEngineKind.JDK).build())
        .withMessageContaining("the JDK's engine can't staple an OCSP response");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tls.builder().ocspResponse(file))
        .withMessageContaining("add the certificate before");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().ocspResponse(file).ocspResponse(file))
        .withMessageContaining("has two OCSP responses");
  }
}
