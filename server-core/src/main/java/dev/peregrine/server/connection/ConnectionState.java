package dev.peregrine.server.connection;

/**
 * How far a {@link Connection} has come.
 *
 * <pre>
 *   OPEN ──closeAfterFlush──▶ CLOSING ──all sent──▶ LINGERING ──end of stream, time, bytes──▶ CLOSED
 *     └───────────────────────────── close, abort, failure ──────────────────────────────────▶
 * </pre>
 *
 * A byte, since there is one for every open connection, and as storing a reference in an object as
 * old as that costs a barrier of the garbage collector each time.
 */
final class ConnectionState {
  /** Bytes can be received and sent. */
  static final byte OPEN = 0;

  /** Unsent bytes are being sent; nothing is read. */
  static final byte CLOSING = 1;

  /** The end of the stream was sent; what the client still sends is discarded. */
  static final byte LINGERING = 2;

  /** The socket is closed and nothing is held any more. */
  static final byte CLOSED = 3;

  private ConnectionState() {}
}
