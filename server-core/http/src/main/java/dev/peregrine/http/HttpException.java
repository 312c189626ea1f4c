package dev.peregrine.http;

import org.jspecify.annotations.Nullable;

/**
 * Fails an exchange with the given status. A handler throws it, or passes it to {@link
 * Response#fail}; the client gets that status, the message, and the header fields added here.
 *
 * <pre>{@code
 * throw new HttpException(404, "no such user");
 * throw new HttpException(503, "the database is busy", failure).header("Retry-After", "5");
 * }</pre>
 *
 * <p>The server's {@link ErrorRenderer} writes the content. Fields that a filter or handler had set
 * on the response stay, except those that describe the discarded content, which {@link
 * Response#fail} lists. The connection stays open as after any other response.
 *
 * <p>A status of 500 and above is logged, with the stack and the cause. A lower one, and 501, is
 * the client's error and logged at debug level only, even if the response had begun. Below 500 the
 * exception has no stack trace, which makes it cheap. The server itself throws it when a handler
 * reads content that is too large or malformed.
 */
public final class HttpException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int STATUS_MIN = 400;
  private static final int STATUS_MAX = 599;
  private static final int SERVER_ERROR = 500;

  private final int status;
  private transient @Nullable PreparedFields headers;

  /**
   * Creates a failure without a cause.
   *
   * @param status 400 to 599
   * @param message sent to the client; null for the reason phrase of the status
   * @throws IllegalArgumentException for another status
   */
  public HttpException(int status, @Nullable String message) {
    this(status, message, null);
  }

  /**
   * Creates a failure with a cause.
   *
   * @param status 400 to 599
   * @param message sent to the client; null for the reason phrase of the status
   * @param cause written to the log, never sent to the client
   * @throws IllegalArgumentException for another status
   */
  public HttpException(int status, @Nullable String message, @Nullable Throwable cause) {
    super(message, cause, status >= SERVER_ERROR, status >= SERVER_ERROR);
    if (status < STATUS_MIN || status > STATUS_MAX) {
      throw new IllegalArgumentException("status " + status + " is not 400 to 599");
    }
    this.status = status;
  }

  /** Returns the status of the response. */
  public int status() {
    return status;
  }

  /**
   * Adds a header field to the response, such as {@code WWW-Authenticate}, {@code Retry-After} or
   * {@code Allow}. It replaces fields of that name that were set on the response before.
   *
   * @return this exception
   * @throws IllegalArgumentException as {@link PreparedFields#of} throws it
   */
  public HttpException header(String name, String value) {
    headers = headers().and(name, value);
    return this;
  }

  /** Returns the added header fields. */
  public PreparedFields headers() {
    PreparedFields added = headers;
    return added == null ? PreparedFields.NONE : added;
  }
}
