package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.tls.Tls;
import dev.peregrine.server.tls.layer.TlsCredential;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.ServerLog;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Row S15: files of certificates and keys, and what is wrong with them. */
final class TlsFilesTest {
  private static final char[] PASSWORD = "secret".toCharArray();
  private static final char[] WRONG = "wrong".toCharArray();

  @TempDir Path folder;
  private final TlsCredential credential = Certificates.create("localhost");

  private Path chain() {
    return Certificates.writeChain(folder.resolve("chain.pem"), credential);
  }

  private Path key() {
    return Certificates.writeKey(folder.resolve("key.pem"), credential);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static void refused(Path named, String problem, Tls.Builder builder) {
    assertThatIllegalArgumentException()
        .isThrownBy(builder::build)
        .withMessageContaining(named.toString())
        .withMessageContaining(problem);
  }

  @Test
  void readsPlainPkcs8() {
    assertThat(Tls.of(chain(), key())).isNotNull();
  }

  /** The bytes that {@code openssl ecparam -genkey} writes: parameters, then SEC 1. */
  @Test
  void readsSec1() throws IOException {
    Path certificate = write("sec1.crt", KeySamples.EC_CERTIFICATE);
    assertThat(Tls.of(certificate, write("sec1.key", KeySamples.EC_KEY))).isNotNull();
  }

  @Test
  void readsPkcs1() throws IOException {
    Path certificate = write("pkcs1.crt", KeySamples.RSA_CERTIFICATE);
    assertThat(Tls.of(certificate, write("pkcs1.key", KeySamples.RSA_KEY))).isNotNull();
  }

  @Test
  void readsKeysForRsassaPssOnly() throws IOException {
    Path certificate = write("pss.crt", KeySamples.PSS_CERTIFICATE);
    assertThat(Tls.of(certificate, write("pss.key", KeySamples.PSS_KEY))).isNotNull();
    refused(
        write("other.key", KeySamples.RSA_KEY),
        "doesn't fit",
        Tls.builder().certificate(certificate, folder.resolve("other.key")));
  }

  @Test
  void readsEncryptedKeys() throws IOException {
    Path chain = write("sec1.crt", KeySamples.EC_CERTIFICATE);
    Path key = write("encrypted.key", KeySamples.ENCRYPTED_EC_KEY);

    assertThat(Tls.builder().certificateWithPassword(chain, key, PASSWORD).build()).isNotNull();
    assertThatThrownBy(() -> Tls.builder().certificateWithPassword(chain, key, WRONG).build())
        .hasMessage(key + " has a key that the password doesn't decrypt");
    refused(key, "no password was given", Tls.builder().certificate(chain, key));
  }

  @Test
  void readsKeyStores() throws Exception {
    Path file = folder.resolve("store.p12");
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "own", credential.key(), PASSWORD, credential.chain().toArray(X509Certificate[]::new));
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD);
    }

    assertThat(Tls.builder().keyStore(file, PASSWORD).build()).isNotNull();
    refused(file, "password", Tls.builder().keyStore(file, WRONG));
    Path missing = folder.resolve("missing.p12");
    refused(missing, "doesn't exist", Tls.builder().keyStore(missing, PASSWORD));
    refused(key(), "isn't a key store", Tls.builder().keyStore(key(), PASSWORD));
  }

  @Test
  void namesAKeyStoreWhoseKeyHasAnotherPassword() throws Exception {
    Path file = folder.resolve("store.jks");
    KeyStore store = KeyStore.getInstance("JKS");
    store.load(null, null);
    store.setKeyEntry(
        "own", credential.key(), WRONG, credential.chain().toArray(X509Certificate[]::new));
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD);
    }

    assertThatThrownBy(() -> Tls.builder().keyStore(file, PASSWORD).build())
        .hasMessage(file + " has a key that the password doesn't decrypt");
  }

  @Test
  void namesAKeyWhoseEncryptionIsNotSupported() throws IOException {
    byte[] ofMadeUpAlgorithm = {48, 13, 48, 7, 6, 3, 42, 3, 4, 5, 0, 4, 2, 1, 2};
    Path key = write("unknown.key", Certificates.pem("ENCRYPTED PRIVATE KEY", ofMadeUpAlgorithm));

    refused(
        key,
        "has a key whose encryption isn't supported (",
        Tls.builder().certificateWithPassword(chain(), key, PASSWORD));
  }

  @Test
  void namesAFileThatCannotBeUsed() throws IOException {
    Path missing = folder.resolve("missing.pem");
    Path empty = write("empty.pem", "");
    Path cut = write("cut.pem", "-----BEGIN PRIVATE KEY-----\nAAAA\n");
    Path rubbish = write("rubbish.pem", Certificates.pem("PRIVATE KEY", new byte[] {1, 2, 3}));

    refused(missing, "doesn't exist", Tls.builder().certificate(missing, key()));
    refused(missing, "doesn't exist", Tls.builder().certificate(chain(), missing));
    refused(folder, "can't be read", Tls.builder().certificate(folder, key()));
    refused(empty, "has no certificate", Tls.builder().certificate(empty, key()));
    refused(empty, "has no private key", Tls.builder().certificate(chain(), empty));
    refused(cut, "END line", Tls.builder().certificate(chain(), cut));
    refused(rubbish, "can't be read", Tls.builder().certificate(chain(), rubbish));
  }

  @Test
  void namesFilesThatDoNotFit() {
    Path other =
        Certificates.writeKey(folder.resolve("other.pem"), Certificates.create("localhost"));

    refused(other, "doesn't fit the certificate", Tls.builder().certificate(chain(), other));
  }

  @Test
  void refusesAnExpiredCertificate() {
    TlsCredential expired = Certificates.create(Duration.ofDays(-1), "localhost");
    Path chain = Certificates.writeChain(folder.resolve("expired.pem"), expired);
    Path key = Certificates.writeKey(folder.resolve("expired-key.pem"), expired);

    refused(chain, "expired", Tls.builder().certificate(chain, key));
  }

  @Test
  void needsACertificate() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tls.builder().build())
        .withMessageContaining("neither a certificate");
  }

  @Test
  void rejectsACertificateThatWouldNeverBeServed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tls.builder().selfSigned("a.test").certificate(chain(), key()).build())
        .withMessageContaining("name the hosts");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Tls.builder().certificate(chain(), key()).refuseUnknownNames(true).build())
        .withMessageContaining("no certificate has names");
  }

  @Test
  void createsACertificateForTheAddressesOfLocalhost() throws Exception {
    assertThat(Certificates.LOCALHOST.chain().getFirst().getSubjectAlternativeNames())
        .<Object>extracting(name -> name.get(1))
        .containsExactly("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
  }

  @Test
  void keepsTheOldCertificateIfTheNewOneIsBad() throws IOException {
    try (ServerLog log = new ServerLog()) {
      Path chain = chain();
      Tls tls = Tls.of(chain, key());
      assertThat(tls.reload()).isFalse();

      Files.writeString(chain, "");
      assertThat(tls.reload()).isFalse();
      log.expectOne(Level.WARNING, chain + " has no certificate");
    }
  }

  @Test
  void copiesPasswords() throws IOException {
    char[] password = PASSWORD.clone();
    Tls.Builder builder =
        Tls.builder()
            .certificateWithPassword(
                write("sec1.crt", KeySamples.EC_CERTIFICATE),
                write("encrypted.key", KeySamples.ENCRYPTED_EC_KEY),
                password);
    Arrays.fill(password, ' ');

    assertThat(builder.build()).isNotNull();
  }
}
