package dev.peregrine.server.layer;

import java.util.List;

/** The names by which clients and servers agree on a version of HTTP over TLS (ALPN, RFC 7301). */
public final class ApplicationProtocols {
  /** HTTP/2 over TLS (RFC 9113 section 3.2). */
  public static final String HTTP_2 = "h2";

  /** All versions of HTTP that the server speaks, in its order. */
  public static final List<String> HTTP = List.of(HTTP_2, "http/1.1", "http/1.0");

  /** The same without HTTP/2. */
  public static final List<String> HTTP_1 = HTTP.subList(1, HTTP.size());

  private ApplicationProtocols() {}
}
