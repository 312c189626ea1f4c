package dev.peregrine.http;

/**
 * Fails an exchange with a status of one's choice: thrown by a handler, or passed to {@link
 * HttpResponse#fail}, it answers with that status and message instead of 500, and isn't logged. The
 * server throws it at a handler that asks for content it can't have.
 */
public final class HttpException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int STATUS_MIN = 400;
  private static final int STATUS_MAX = 599;

  private final int status;

  /**
   * A failure that the client is told.
   *
   * @param status 400 to 599
   * @param message sent to the client as text
   * @throws IllegalArgumentException for another status
   */
  public HttpException(int status, String message) {
    super(message, null, false, false);
    if (status < STATUS_MIN || status > STATUS_MAX) {
      throw new IllegalArgumentException("status " + status + " is not 400 to 599");
    }
    this.status = status;
  }

  /** The status to answer with. */
  public int status() {
    return status;
  }
}
