package dev.peregrine.server.tls;

/** Whether clients are asked for a certificate. */
public enum ClientAuthentication {
  /** They aren't. */
  NONE,
  /** They are, and may have none; one that they send must be trusted. */
  OPTIONAL,
  /** They are, and a handshake without a trusted one fails. */
  REQUIRED
}
