package dev.peregrine.http;

/** The ways in which an exchange ends; see {@link Response#onComplete}. */
public enum Outcome {
  /**
   * The response was passed to the connection completely: the handler's own, or the error response
   * for an {@link HttpException}. Bytes that wait there for the client, such as most of a file, are
   * not awaited: if the client leaves before it has taken them, the outcome is the same.
   */
  COMPLETED,

  /**
   * The application failed: it threw an exception, or ended without a response. The client was
   * answered 500 or, where the response had begun, saw that it is incomplete.
   */
  FAILED,

  /**
   * The server rejected the request's content because it was malformed, too large or too slow. The
   * client was answered 400, 408 or 413 unless the response had begun.
   */
  REJECTED,

  /** The application had not begun its response in time, so the client was answered 503. */
  LATE,

  /** The connection, or the stream of HTTP/2, ended before the response was complete. */
  ABORTED
}
