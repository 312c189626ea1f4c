package dev.peregrine.http;

/**
 * The path of a request in decoded segments: {@code /a%20b/c/} is {@code "a b"}, {@code "c"} and
 * {@code ""}. Routes and routers read paths in this one way:
 *
 * <ul>
 *   <li>Only a slash as sent separates. {@code %2F} is a slash within its segment.
 *   <li>Every other octet and its percent-encoding are the same: {@code /%61} is {@code /a}.
 *   <li>A slash at the end adds a last segment that is empty: {@code /a/} is not {@code /a}.
 *   <li>Semicolons are ordinary characters, and case matters (RFC 3986 section 3.3).
 *   <li>Rejected with 400, because other software could read them differently: an empty segment
 *       elsewhere ({@code //}), a segment {@code .} or {@code ..} however it is encoded, NUL, a
 *       percent sign without two hexadecimal digits, and octets that aren't UTF-8 when decoded.
 * </ul>
 *
 * <p>It belongs to the exchange like the request, and must not be used after its end. Only the
 * server implements it: a {@link Request} that wraps another passes on that of the inner one.
 */
public interface PathSegments {
  /** Returns the number of segments, 1 or more. */
  int count();

  /**
   * Returns a segment as text. It may contain any character except NUL, also slashes.
   *
   * @param index 0 to {@link #count} - 1
   */
  String segment(int index);

  /**
   * Returns the segments from an index on as text, with slashes between them.
   *
   * @param from 0 to {@link #count}
   * @throws HttpException 400 if a slash within a segment would look like one between two
   */
  String tail(int from);

  /**
   * Returns the value of a parameter of the routes that led to the handler, the innermost first.
   *
   * @throws IllegalArgumentException if none of them has it
   * @throws HttpException 400 as {@link #tail} throws it
   */
  String parameter(String name);
}
