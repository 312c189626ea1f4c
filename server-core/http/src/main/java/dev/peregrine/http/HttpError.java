package dev.peregrine.http;

import org.jspecify.annotations.Nullable;

/**
 * An error response whose content an {@link ErrorRenderer} writes. Status, title and detail are
 * meant for the client; cause and request are for the renderer's own use.
 *
 * @param status 400 to 599
 * @param title the reason phrase of the status
 * @param detail what was wrong with this request: the message of an {@link HttpException}, or the
 *     server's own text; null if the client gets the status only
 * @param cause the exception that a handler threw or passed to {@link Response#fail}; null if the
 *     server rejected the request by itself
 * @param request the request, to be used during the call only; null if there is none because the
 *     bytes were not a request, or if another thread may be using it
 */
public record HttpError(
    int status,
    String title,
    @Nullable String detail,
    @Nullable Throwable cause,
    @Nullable Request request) {
  private static final int SERVER_ERROR = 500;

  /** Returns the reason phrase of a status; a general one for a status without a constant. */
  public static String titleOf(int status) {
    HttpStatus known = HttpStatus.of(status);
    if (known != null) {
      return known.reason();
    }
    return status < SERVER_ERROR ? "Client Error" : "Server Error";
  }
}
