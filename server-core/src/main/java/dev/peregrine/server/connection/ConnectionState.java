package dev.peregrine.server.connection;

/**
 * The states of a {@link Connection}.
 *
 * <pre>
 *   OPEN ──closeAfterFlush──▶ CLOSING ──all sent──▶ LINGERING ──end of stream, time, bytes──▶ CLOSED
 *     └───────────────────────────── close, abort, failure ──────────────────────────────────▶
 * </pre>
 *
 * A byte, not an enum, because every open connection has one, and a reference store into a tenured
 * object costs a GC write barrier.
 */
final class ConnectionState {
  /** Bytes can be received and sent. */
  static final byte OPEN = 0;

  /** Unsent bytes are being sent; nothing is read. */
  static final byte CLOSING = 1;

  /** The end of the stream was sent; bytes that the client still sends are discarded. */
  static final byte LINGERING = 2;

  /** The socket is closed, and its memory is released. */
  static final byte CLOSED = 3;

  private ConnectionState() {}
}
