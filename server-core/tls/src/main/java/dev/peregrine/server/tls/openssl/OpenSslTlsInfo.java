package dev.peregrine.server.tls.openssl;

import dev.peregrine.openssl.OpenSslSession;
import dev.peregrine.tls.TlsInfo;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The facts of a session, copied from it; certificates are parsed when they are requested. */
record OpenSslTlsInfo(
    String version,
    String cipherSuite,
    @Nullable String serverName,
    @Nullable String applicationProtocol,
    boolean isResumed,
    List<byte[]> encodedCertificates)
    implements TlsInfo {
  static OpenSslTlsInfo of(OpenSslSession session, @Nullable String serverName) {
    return new OpenSslTlsInfo(
        session.version(),
        session.cipherSuite(),
        serverName,
        session.applicationProtocol(),
        session.isResumed(),
        session.clientCertificates());
  }

  @Override
  public List<X509Certificate> clientCertificates() {
    if (encodedCertificates.isEmpty()) {
      return List.of();
    }
    List<X509Certificate> chain = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (byte[] one : encodedCertificates) {
        ByteArrayInputStream encoded = new ByteArrayInputStream(one);
        chain.add((X509Certificate) factory.generateCertificate(encoded));
      }
    } catch (CertificateException unreadable) {
      throw new IllegalStateException(
          "OpenSSL accepts a certificate that the JDK can't read", unreadable);
    }
    return List.copyOf(chain);
  }

  /** Returns the version, the suite and the requested name, for logs: the same for all engines. */
  @Override
  public String toString() {
    return version + " " + cipherSuite + " " + serverName;
  }
}
