package dev.peregrine.server.exchange.text;

import dev.peregrine.base.Latin1;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.protocol.Rejection;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The check of the scheme that a request names, http or https, against the connection. */
public final class TargetScheme {
  public static final String HTTP = "http";
  public static final String HTTPS = "https";

  private TargetScheme() {}

  /**
   * Returns why a request must be rejected for its scheme (RFC 9110 section 7.4), or null. The http
   * scheme is accepted on any connection, because clients of a proxy send it over TLS too.
   *
   * @param from where the head starts
   * @param head a complete head with a scheme
   * @param acceptsHttps whether the connection is secured or treated as secured
   */
  public static @Nullable Rejection check(
      MemorySegment bytes, int from, RequestHead head, boolean acceptsHttps) {
    if (is(HTTP, bytes, from, head)) {
      return null;
    }
    if (!is(HTTPS, bytes, from, head)) {
      return Rejection.TARGET_FORM_INVALID;
    }
    return acceptsHttps ? null : Rejection.TARGET_MISDIRECTED;
  }

  public static boolean is(String scheme, MemorySegment bytes, int from, RequestHead head) {
    return Latin1.equalsIgnoreCase(
        bytes, from + head.schemeStart(), from + head.schemeEnd(), scheme);
  }
}
