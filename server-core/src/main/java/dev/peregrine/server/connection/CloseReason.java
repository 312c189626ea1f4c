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

  @SuppressWarnings("StaticAssignmentOfThrowable") // for when there is no memory for another one
  private static final IOException WITHOUT_MEMORY = new IOException("connection closed");

  /**
   * The failure of what still uses the connection. Never null and never an error: whoever waits for
   * the connection is to be told even where there is no memory for another exception.
   */
  public IOException exception() {
    try {
      return new IOException("connection closed: " + this);
    } catch (OutOfMemoryError full) {
      return WITHOUT_MEMORY;
    }
  }
}
