package dev.peregrine.server.tls.layer;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The requirements on the certificates of clients.
 *
 * @param trusted the authorities whose certificates clients may have; empty if clients aren't asked
 *     for one, or if the application's context decides
 */
public record ClientPolicy(ClientAuthentication authentication, List<X509Certificate> trusted) {
  /** Clients are not asked for a certificate. */
  public static final ClientPolicy NONE = new ClientPolicy(ClientAuthentication.NONE, List.of());

  /** Copies the list. */
  public ClientPolicy {
    trusted = List.copyOf(trusted);
  }
}
