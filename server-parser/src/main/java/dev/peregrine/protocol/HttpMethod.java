package dev.peregrine.protocol;

/**
 * The request methods that RFC 9110 section 9.3 and RFC 5789 define. Methods are case-sensitive;
 * every other token is {@link #OTHER} and its text is found by the head's offsets.
 */
public enum HttpMethod {
  GET,
  HEAD,
  POST,
  PUT,
  DELETE,
  CONNECT,
  OPTIONS,
  TRACE,
  PATCH,
  OTHER
}
