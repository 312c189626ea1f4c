package dev.peregrine.server.tls.layer;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A certificate with its key.
 *
 * @param chain the certificate, followed by its issuers
 * @param staple the OCSP response that clients get with it; null for none
 */
public record TlsCredential(PrivateKey key, List<X509Certificate> chain, @Nullable Staple staple) {
  /** Keeps a copy of the chain. */
  public TlsCredential {
    chain = List.copyOf(chain);
  }

  /** Creates a certificate without an OCSP response. */
  public TlsCredential(PrivateKey key, List<X509Certificate> chain) {
    this(key, chain, null);
  }

  /** Returns it with an OCSP response. */
  public TlsCredential withStaple(Staple response) {
    return new TlsCredential(key, chain, response);
  }
}
