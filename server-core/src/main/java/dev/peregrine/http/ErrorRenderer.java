package dev.peregrine.http;

/**
 * Writes the content of every error response that a handler does not write itself: what handlers
 * throw or pass to {@link Response#fail}, what {@code Routes} and {@code StaticFiles} don't find or
 * allow, exceeded limits, and bytes that are not a request.
 *
 * <pre>{@code
 * HttpServer.builder().errors(ErrorRenderer.PROBLEM_JSON).handler(routes).start();
 *
 * HttpServer.builder()
 *     .errors(
 *         error ->
 *             ErrorContent.of(
 *                 ContentType.TEXT_HTML_UTF_8, "<h1>" + error.status() + " " + error.title()))
 *     .handler(routes)
 *     .start();
 * }</pre>
 *
 * <p>A renderer chooses the media type, the bytes and additional header fields. Status and framing
 * are the server's. A HEAD request is answered without the content.
 *
 * <p>It is called by all event loops at a time, and only when an error happens. It must not block,
 * and the detail may contain what a client has sent: escape it. If the renderer throws, that is
 * logged, and the response is written by {@link #PLAIN}.
 */
@FunctionalInterface
public interface ErrorRenderer {
  /** The default: {@link ErrorContent#plain}. */
  ErrorRenderer PLAIN = ErrorContent::plain;

  /** Problem details in JSON (RFC 9457): {@link ErrorContent#problemJson}. */
  ErrorRenderer PROBLEM_JSON = ErrorContent::problemJson;

  /**
   * Writes the content of an error response.
   *
   * @throws Exception anything: the response is then written by {@link #PLAIN}
   */
  ErrorContent render(HttpError error) throws Exception;
}
