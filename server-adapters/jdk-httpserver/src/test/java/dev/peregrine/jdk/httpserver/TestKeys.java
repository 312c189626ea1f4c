package dev.peregrine.jdk.httpserver;

import dev.peregrine.server.tls.layer.TlsCredential;
import dev.peregrine.server.tls.pem.SelfSigned;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS contexts with a certificate that they trust themselves, or with none. */
final class TestKeys {
  private static final char[] PASSWORD = "secret".toCharArray();
  private static final TlsCredential CREDENTIAL = create();

  private TestKeys() {}

  private static TlsCredential create() {
    try {
      return SelfSigned.create(Duration.ofDays(1), List.of("localhost"));
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Returns the context of a server, or of a client with a certificate. */
  static SSLContext withCertificate() {
    return context(true);
  }

  /** Returns the context of a client without a certificate. */
  static SSLContext withoutCertificate() {
    return context(false);
  }

  private static SSLContext context(boolean hasKey) {
    try {
      KeyStore trusted = emptyStore();
      trusted.setCertificateEntry("server", CREDENTIAL.chain().getFirst());
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(trusted);
      KeyStore own = emptyStore();
      if (hasKey) {
        X509Certificate[] chain = CREDENTIAL.chain().toArray(X509Certificate[]::new);
        own.setKeyEntry("own", CREDENTIAL.key(), PASSWORD, chain);
      }
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(own, PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
