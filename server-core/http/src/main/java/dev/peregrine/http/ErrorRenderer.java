package dev.peregrine.http;

/**
 * Writes the content of every error response that a handler does not write itself: for exceptions
 * of handlers and failures passed to {@link Response#fail}, for paths and methods that {@code
 * Routes} and {@code StaticFiles} don't have, for exceeded limits, and for bytes that are not a
 * request.
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
 * <p>A renderer chooses the media type, the bytes and additional header fields. The server chooses
 * status and framing. The response to HEAD is sent without the content.
 *
 * <p>It is called concurrently by all event loops, and only for errors. It must not block. The
 * detail may contain text of the client: escape it. If the renderer throws, that is logged, and the
 * response is written by {@link #PLAIN}.
 */
@FunctionalInterface
public interface ErrorRenderer {
  /** The default: {@link ErrorContent#plain}. */
  ErrorRenderer PLAIN = OwnRenderer.PLAIN;

  /** Problem details in JSON (RFC 9457): {@link ErrorContent#problemJson}. */
  ErrorRenderer PROBLEM_JSON = OwnRenderer.PROBLEM_JSON;

  /**
   * Writes the content of an error response.
   *
   * @throws Exception any exception; the response is then written by {@link #PLAIN}
   */
  ErrorContent render(HttpError error) throws Exception;
}
