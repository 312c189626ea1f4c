package dev.peregrine.tls;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a TLS handshake, as the server or a trusted proxy reports it. Immutable, so that
 * any thread may use it, also after the connection has ended.
 */
public interface TlsInfo {
  /** Returns the version of the protocol: {@code TLSv1.3} or {@code TLSv1.2}. */
  String version();

  /** Returns the standard name of the cipher suite, such as {@code TLS_AES_128_GCM_SHA256}. */
  String cipherSuite();

  /** Returns the host name that the client asked for (SNI), in lower case; null if none. */
  @Nullable String serverName();

  /** Returns the protocol that was agreed on (ALPN), or null. */
  @Nullable String applicationProtocol();

  /** Returns true if the client resumed an earlier session, without an exchange of certificates. */
  boolean isResumed();

  /**
   * Returns the client's certificate and those that it was issued by, in that order. The first call
   * may parse them.
   *
   * @return empty if the client sent none
   */
  List<X509Certificate> clientCertificates();
}
