package dev.peregrine.protocol;

/**
 * Violations of some clients that a parser or a server can be configured to accept; by default none
 * is accepted.
 */
public enum Leniency {
  /**
   * Accepts the visible ASCII that RFC 3986 forbids in a path and query and that browsers send
   * unencoded: {@code " < > [ \ ] ^ ` { | }}. A {@code #} stays an error.
   */
  RAW_TARGET_CHARACTERS,
  /** Accepts a {@code %} without two hexadecimal digits after it. */
  BARE_PERCENT,
  /**
   * Accepts a target with the {@code https} scheme, which a trusted gateway that ends TLS in front
   * of the server may send (RFC 9110 section 7.4).
   */
  HTTPS_TARGET
}
