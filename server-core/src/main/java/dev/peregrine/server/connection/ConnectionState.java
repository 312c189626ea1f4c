package dev.peregrine.server.connection;

/**
 * How far a {@link Connection} has come.
 *
 * <pre>
 *   OPEN ──closeAfterFlush──▶ CLOSING ──all sent──▶ LINGERING ──end of stream, time, bytes──▶ CLOSED
 *     └───────────────────────────── close, abort, failure ──────────────────────────────────▶
 * </pre>
 */
enum ConnectionState {
  /** Bytes can be received and sent. */
  OPEN,
  /** What is unsent is being sent; nothing is read. */
  CLOSING,
  /** The end of the stream was sent; what the client still sends is discarded. */
  LINGERING,
  /** The socket is closed and nothing is held any more. */
  CLOSED
}
