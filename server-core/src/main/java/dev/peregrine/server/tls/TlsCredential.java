package dev.peregrine.server.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate with its key.
 *
 * @param chain the certificate, followed by its issuers
 */
public record TlsCredential(PrivateKey key, List<X509Certificate> chain) {
  /** Keeps a copy of the chain. */
  public TlsCredential {
    chain = List.copyOf(chain);
  }
}
