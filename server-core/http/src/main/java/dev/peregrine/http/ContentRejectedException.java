package dev.peregrine.http;

import java.io.IOException;

/**
 * The server has rejected the content of a request: it is malformed, too large or too slow, or the
 * client has ended its stream within it. The client gets the status, unless the response has begun.
 *
 * <p>{@link BodyListener#onError} and the subscriber of {@link RequestBody#publisher} get it; a
 * blocking read throws an {@link IOException} with it as the cause. It has no stack trace, because
 * clients can cause it.
 */
public final class ContentRejectedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int status;

  /**
   * Creates the exception.
   *
   * @param status 400, 408 or 413
   * @param message the reason
   */
  public ContentRejectedException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** Returns the status of the error: 400 if the content is malformed or cut short, 408 or 413. */
  public int status() {
    return status;
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
