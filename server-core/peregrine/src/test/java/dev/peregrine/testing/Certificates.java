package dev.peregrine.testing;

import dev.peregrine.server.tls.Tls;
import dev.peregrine.server.tls.TlsEngineKind;
import dev.peregrine.server.tls.layer.TlsCredential;
import dev.peregrine.server.tls.pem.SelfSigned;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Certificates for tests, in files, and clients that accept them. */
public final class Certificates {
  private static final char[] PASSWORD = "secret".toCharArray();

  /** The engine of this run of the tests; the JDK's by default. */
  public static final TlsEngineKind ENGINE =
      TlsEngineKind.valueOf(System.getProperty("peregrine.test.tlsEngine", "JDK"));

  /** A certificate for localhost. */
  public static final TlsCredential LOCALHOST = create("localhost");

  /** TLS with that certificate. */
  public static final Tls TLS = tls(LOCALHOST);

  private static final SSLContext CLIENT = client(null);

  private Certificates() {}

  /** Returns a new certificate that is valid for a day. */
  public static TlsCredential create(String... names) {
    return create(Duration.ofDays(1), names);
  }

  /** Returns a new certificate. */
  public static TlsCredential create(Duration valid, String... names) {
    try {
      return SelfSigned.create(valid, List.of(names));
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Writes the chain as PEM. */
  public static Path writeChain(Path file, TlsCredential credential) {
    StringBuilder text = new StringBuilder();
    try {
      for (X509Certificate one : credential.chain()) {
        text.append(pem("CERTIFICATE", one.getEncoded()));
      }
      return Files.writeString(file, text);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Writes the key as PEM. */
  public static Path writeKey(Path file, TlsCredential credential) {
    try {
      return Files.writeString(file, pem("PRIVATE KEY", credential.key().getEncoded()));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Writes a certificate chain and its key into one file of a folder, as HAProxy reads them. */
  public static Path writeBoth(Path folder, TlsCredential credential) throws IOException {
    Path chain = writeChain(folder.resolve("chain.pem"), credential);
    Path key = writeKey(folder.resolve("key.pem"), credential);
    return Files.writeString(
        folder.resolve("both.pem"), Files.readString(chain) + Files.readString(key));
  }

  /** Returns TLS with the certificate in files of that folder, by the engine of this run. */
  public static Tls.Builder builder(Path folder, TlsCredential credential) {
    return Tls.builder()
        .engine(ENGINE)
        .certificate(
            writeChain(folder.resolve("chain.pem"), credential),
            writeKey(folder.resolve("key.pem"), credential));
  }

  /** Returns a block of a PEM file. */
  public static String pem(String label, byte[] bytes) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
  }

  private static Tls tls(TlsCredential credential) {
    try {
      Path folder = Files.createTempDirectory("certificates");
      Path chain = writeChain(folder.resolve("chain.pem"), credential);
      Path key = writeKey(folder.resolve("key.pem"), credential);
      Tls tls = Tls.builder().certificate(chain, key).engine(ENGINE).build();
      Files.delete(chain);
      Files.delete(key);
      Files.delete(folder);
      return tls;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Returns the context of clients that trust every server, and have no certificate. */
  public static SSLContext client() {
    return CLIENT;
  }

  /** Returns a context of clients that trust every server, with a certificate or null. */
  public static SSLContext client(@Nullable TlsCredential own) {
    try {
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      if (own != null) {
        store.setKeyEntry("own", own.key(), PASSWORD, own.chain().toArray(X509Certificate[]::new));
      }
      keys.init(store, PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), new TrustManager[] {new Trusting()}, null);
      return context;
    } catch (GeneralSecurityException | IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static final class Trusting implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
