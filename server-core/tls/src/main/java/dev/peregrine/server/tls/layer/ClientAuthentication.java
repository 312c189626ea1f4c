package dev.peregrine.server.tls.layer;

/** The ways to handle certificates of clients. */
public enum ClientAuthentication {
  /** Clients are not asked for a certificate. */
  NONE,
  /** Clients may send a certificate, which must be trusted. */
  OPTIONAL,
  /** Clients must send a trusted certificate; otherwise the handshake fails. */
  REQUIRED
}
