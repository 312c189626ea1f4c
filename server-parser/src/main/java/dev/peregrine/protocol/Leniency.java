package dev.peregrine.protocol;

/**
 * Violations of some clients that a parser or a server can be configured to accept; by default none
 * is.
 */
public enum Leniency {
  /**
   * Accept the visible ASCII that RFC 3986 forbids in a path and query and that browsers send
   * unencoded: {@code " < > [ \ ] ^ ` { | }}. A {@code #} stays an error.
   */
  RAW_TARGET_CHARACTERS,
  /** Accept a {@code %} that two hexadecimal digits do not follow. */
  BARE_PERCENT,
  /**
   * Accept a target with the {@code https} scheme, as a gateway may send it that ends TLS in front
   * of the server and is trusted (RFC 9110 section 7.4).
   */
  HTTPS_TARGET
}
