package dev.peregrine.tls;

import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a TLS handshake, as the server or a trusted proxy reports it. Immutable, so any
 * thread may use it, even after the connection has ended.
 */
public interface TlsInfo {
  /** Returns the version of the protocol: {@code TLSv1.3} or {@code TLSv1.2}. */
  String version();

  /** Returns the standard name of the cipher suite, such as {@code TLS_AES_128_GCM_SHA256}. */
  String cipherSuite();

  /**
   * Returns the host name that the client requested (SNI), in lower case; null if it requested
   * none.
   */
  @Nullable String serverName();

  /** Returns the negotiated application protocol (ALPN); null if none was negotiated. */
  @Nullable String applicationProtocol();

  /** Returns true if the client resumed an earlier session, without an exchange of certificates. */
  boolean isResumed();

  /**
   * Returns the client's certificate, followed by the issuers that the client sent. In a resumed
   * session the issuers may be missing. The first call may parse the certificates.
   *
   * @return empty if the client sent none
   */
  List<X509Certificate> clientCertificates();

  /**
   * Returns the session of the JDK's engine, for code that needs more of it; null with another
   * engine, and for a connection that a proxy reports.
   */
  default @Nullable SSLSession sslSession() {
    return null;
  }
}
