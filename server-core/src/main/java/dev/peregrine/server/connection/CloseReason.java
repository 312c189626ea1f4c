package dev.peregrine.server.connection;

import java.io.IOException;

/** Why a connection was closed. */
public enum CloseReason {
  /** The client closed, or said that it would. */
  CLIENT_CLOSED,
  /** The client's side ended the connection by a reset, or the network did. */
  RESET,
  /** The response said {@code Connection: close}, or its end is marked by the close. */
  RESPONSE_COMPLETE,
  /** The request was refused, so that nothing after it can be trusted. */
  REJECTED,
  /** No request came within the keep-alive time. */
  IDLE,
  /** The request head, the body or the client's reading took too long. */
  TOO_SLOW,
  /** A handler failed after its response had begun. */
  HANDLER_FAILED,
  /** Too many connections, or no memory for this one. */
  OVERLOADED,
  /** The server is shutting down. */
  SHUTDOWN,
  /** A defect in the server; it has been logged. */
  INTERNAL;

  @SuppressWarnings("StaticAssignmentOfThrowable") // used when memory for another one is exhausted
  private static final IOException WITHOUT_MEMORY = new IOException("connection closed");

  /**
   * Returns the failure for code that still uses the connection. It never throws: a caller that
   * waits for the connection is notified even if memory for another exception is exhausted.
   */
  public IOException exception() {
    try {
      return new IOException("connection closed: " + this);
    } catch (OutOfMemoryError full) {
      return WITHOUT_MEMORY;
    }
  }
}
