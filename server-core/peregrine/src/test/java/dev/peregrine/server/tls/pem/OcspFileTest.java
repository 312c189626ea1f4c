package dev.peregrine.server.tls.pem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.testing.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OcspFileTest {
  private static final Instant NOW = Instant.parse("2026-11-23T03:00:00Z");
  private static final Instant BEGIN = NOW.minus(Duration.ofHours(1));
  private static final Instant END = NOW.plus(Duration.ofHours(1));

  @TempDir Path folder;
  private final X509Certificate certificate = Certificates.LOCALHOST.chain().getFirst();

  private Path write(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("response"), bytes);
  }

  private void rejected(byte[] bytes, String problem) throws IOException {
    Path file = write(bytes);
    assertThatThrownBy(() -> OcspFile.read(file, certificate, NOW))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessageContaining(file + " ")
        .hasMessageContaining(problem);
  }

  private byte[] response(Instant begin, Instant end) {
    return OcspSamples.response(certificate, OcspSamples.Status.GOOD, begin, end);
  }

  @Test
  void readsAResponse() throws Exception {
    byte[] response = response(BEGIN, END);

    assertThat(OcspFile.read(write(response), certificate, NOW).end()).isEqualTo(END);
    assertThat(OcspFile.read(write(response), certificate, NOW).der()).isEqualTo(response);
    byte[] endless = OcspSamples.response(certificate, OcspSamples.Status.GOOD, NOW, null);
    assertThat(OcspFile.read(write(endless), certificate, NOW).end()).isEqualTo(Instant.MAX);
  }

  @Test
  void rejectsAResponseOutsideItsTime() throws IOException {
    rejected(response(BEGIN, NOW), "expired at 2026-11-23T03:00:00Z");
    rejected(response(NOW.plusSeconds(1), END), "isn't valid before 2026-11-23T03:00:01Z");
  }

  @Test
  void rejectsAResponseWithoutAGoodStatus() throws IOException {
    rejected(
        OcspSamples.response(certificate, OcspSamples.Status.REVOKED, BEGIN, END), "is revoked");
    rejected(
        OcspSamples.response(certificate, OcspSamples.Status.UNKNOWN, BEGIN, END),
        "doesn't know the");
    rejected(OcspSamples.error(6), "reports the error 6");
    X509Certificate other = Certificates.create("localhost").chain().getFirst();
    rejected(
        OcspSamples.response(other, OcspSamples.Status.GOOD, BEGIN, END),
        "for another certificate");
  }

  @Test
  void rejectsOtherFiles() throws IOException {
    byte[] response = response(BEGIN, END);
    for (int i = 0; i < response.length; i++) {
      rejected(Arrays.copyOf(response, i), "isn't an OCSP response");
    }
    rejected(Arrays.copyOf(response, response.length + 1), "isn't an OCSP response");
    rejected(new byte[64 * 1024 + 1], "is too large");
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> OcspFile.read(missing, certificate, NOW))
        .hasMessage(missing + " doesn't exist");
    assertThatThrownBy(() -> OcspFile.read(folder, certificate, NOW))
        .hasMessage(folder + " can't be read");
  }

  /** No change of a byte leads to another kind of exception. */
  @Test
  void survivesEveryChangeOfAByte() throws IOException {
    byte[] response = response(BEGIN, END);
    for (int i = 0; i < response.length; i++) {
      for (int value : new int[] {0, 0x7F, 0x80, 0x84, 0x88, 0xFF}) {
        byte[] changed = response.clone();
        changed[i] = (byte) value;
        Path file = write(changed);
        try {
          assertThat(OcspFile.read(file, certificate, NOW)).isNotNull();
        } catch (GeneralSecurityException rejected) {
          assertThat(rejected).hasMessageStartingWith(file + " ");
        }
      }
    }
  }
}
