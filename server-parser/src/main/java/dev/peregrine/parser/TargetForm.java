package dev.peregrine.parser;

/** The four forms of a request target (RFC 9112 section 3.2). */
public enum TargetForm {
  /** {@code /path?query}. */
  ORIGIN,
  /** {@code http://host/path?query} or {@code https://…}. */
  ABSOLUTE,
  /** {@code host:port}, only for CONNECT. */
  AUTHORITY,
  /** {@code *}, only for OPTIONS. */
  ASTERISK
}
