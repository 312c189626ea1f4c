package dev.peregrine.protocol;

/**
 * The version by which a request is handled. A minor version of HTTP/1 above 1 is treated as 1.1,
 * the highest that this server knows (RFC 9110 section 2.5).
 */
public enum HttpVersion {
  HTTP_1_0,
  HTTP_1_1,
  HTTP_2
}
