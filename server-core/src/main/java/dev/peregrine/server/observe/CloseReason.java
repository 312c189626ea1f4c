package dev.peregrine.server.observe;

/**
 * Why a connection was closed. If there were several reasons the first one counts, except that a
 * connection that is closed before its last response was sent has the reason of the close.
 */
public enum CloseReason {
  /** The client ended its side, and nothing was left to answer. */
  CLIENT_CLOSED,

  /** The client, or the network, reset the connection. */
  CLIENT_RESET,

  /** The client took its response too slowly. */
  CLIENT_TOO_SLOW,

  /** No request came within the keep-alive time. */
  IDLE,

  /** The last response said {@code Connection: close}, or its end is marked by the close. */
  LAST_RESPONSE,

  /**
   * A request was rejected in a way that leaves nothing after it to be trusted: a malformed,
   * oversized or slow head.
   */
  REQUEST_REJECTED,

  /** The application closed a connection that had been upgraded, or was a tunnel. */
  APPLICATION_CLOSED,

  /**
   * The application failed after its response had begun, or while it had an upgraded connection.
   */
  APPLICATION_FAILED,

  /** There were too many connections, or no memory for this one. */
  OVERLOADED,

  /** The server was shut down. */
  SHUTDOWN,

  /** A defect in the server; it has been logged. */
  INTERNAL_ERROR
}
