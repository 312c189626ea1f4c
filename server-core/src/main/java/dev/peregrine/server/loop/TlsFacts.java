package dev.peregrine.server.loop;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of a TLS handshake, as the layer that made it or a trusted proxy reports it. */
public interface TlsFacts {
  /** Returns the version of the protocol, such as {@code TLSv1.3}. */
  String version();

  /** Returns the standard name of the cipher suite, such as {@code TLS_AES_128_GCM_SHA256}. */
  String cipherSuite();

  /** Returns the host name that the client asked for (SNI), or null. */
  @Nullable String serverName();

  /** Returns the protocol that was agreed on (ALPN), or null. */
  @Nullable String applicationProtocol();

  /** Returns the client's certificate and those that it was issued by; empty if it sent none. */
  List<X509Certificate> clientCertificates();
}
