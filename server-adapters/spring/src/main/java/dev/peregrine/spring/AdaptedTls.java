package dev.peregrine.spring;

import dev.peregrine.tls.TlsInfo;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.SslInfo;

/** The outcome of a TLS handshake as Spring sees it. */
final class AdaptedTls implements SslInfo {
  private final TlsInfo info;

  AdaptedTls(TlsInfo info) {
    this.info = info;
  }

  /** Returns the session's id in hexadecimal digits; null unless the JDK's engine is used. */
  @Override
  public @Nullable String getSessionId() {
    SSLSession session = info.sslSession();
    byte[] id = session == null ? new byte[0] : session.getId();
    return id.length == 0 ? null : HexFormat.of().formatHex(id);
  }

  @Override
  public X509Certificate @Nullable [] getPeerCertificates() {
    List<X509Certificate> certificates = info.clientCertificates();
    return certificates.isEmpty() ? null : certificates.toArray(X509Certificate[]::new);
  }
}
