package dev.peregrine.server.observe;

/**
 * The reason why a connection, or a stream of HTTP/2, was closed. Of several reasons the first one
 * counts, except that a connection that is closed before its last response was sent has the reason
 * of that close.
 */
public enum CloseReason {
  /** The client ended its side, and nothing was left to answer. */
  CLIENT_CLOSED,

  /** The client, or the network, reset the connection; or the client reset the stream. */
  CLIENT_RESET,

  /** The client took its response too slowly, or didn't answer a PING of HTTP/2. */
  CLIENT_TOO_SLOW,

  /** No request arrived within the keep-alive time. */
  IDLE,

  /**
   * The last response had {@code Connection: close}, or the close marks its end; or the connection
   * of HTTP/2 had served as many requests, or for as long, as one may.
   */
  LAST_RESPONSE,

  /**
   * A request was rejected so that the start of the next one isn't known: its head was malformed,
   * oversized or slow.
   */
  REQUEST_REJECTED,

  /**
   * The client violated HTTP/2 in a way that ends the connection (RFC 9113 section 5.4.1), or a
   * WebSocket's protocol, or sent a message that is too large.
   */
  PROTOCOL_VIOLATED,

  /**
   * The client sent too many frames of HTTP/2 or of a WebSocket that serve nothing, or a frame too
   * slowly.
   */
  CLIENT_FLOODED,

  /**
   * The endpoint requires the PROXY protocol, and the peer isn't trusted with it, or its header was
   * malformed, too long or late.
   */
  PROXY_HEADER_REJECTED,

  /** The TLS handshake failed; see {@link ConnectionListener#onHandshakeFailed}. */
  HANDSHAKE_FAILED,

  /** The client violated TLS after the handshake, or sent an alert. */
  TLS_FAILED,

  /** The application closed a connection that had been upgraded, or was a tunnel. */
  APPLICATION_CLOSED,

  /**
   * The application failed after its response had begun, or while it had an upgraded connection.
   */
  APPLICATION_FAILED,

  /**
   * The server had too many connections, or no memory for this one; or it had to make room, and
   * this one was idle.
   */
  OVERLOADED,

  /** The server was shut down. */
  SHUTDOWN,

  /** A defect in the server; it has been logged. */
  INTERNAL_ERROR
}
