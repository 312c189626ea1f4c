package dev.peregrine.server.http2.flow;

/**
 * The state of a stream (RFC 9113 section 5.1). No stream is ever reserved, because this server
 * pushes nothing. RESET is what the RFC calls closed, too: its frames are dropped.
 *
 * <pre>
 *                   ┌──receiveEnd──▶ HALF_CLOSED_REMOTE ──sendEnd──▶ CLOSED
 *   IDLE ──open──▶ OPEN ──sendEnd──▶ HALF_CLOSED_LOCAL ──receiveEnd──▶ CLOSED ──release──▶ IDLE
 *
 *   from any but IDLE ──reset──▶ RESET
 * </pre>
 *
 * <p>The object of a released stream serves another one; that of a stream that was reset doesn't.
 */
public final class StreamState {
  // Ints, not enums: a reference store into a tenured object costs a write barrier of the garbage
  // collector. Up to HALF_CLOSED_REMOTE the server sends, and up to CLOSED the stream is live.
  private static final int OPEN = 0;
  private static final int HALF_CLOSED_REMOTE = 1;
  private static final int HALF_CLOSED_LOCAL = 2;
  private static final int CLOSED = 3;
  private static final int RESET = 4;
  private static final int IDLE = 5;

  private int state = IDLE;

  /**
   * Opens the stream.
   *
   * @param end whether the client has ended its side already
   */
  public void open(boolean end) {
    state = end ? HALF_CLOSED_REMOTE : OPEN;
  }

  /** The client has ended its side. */
  public void receiveEnd() {
    if (state == OPEN) {
      state = HALF_CLOSED_REMOTE;
    } else if (state == HALF_CLOSED_LOCAL) {
      state = CLOSED;
    }
  }

  /** The server has ended its side. */
  public void sendEnd() {
    if (state == OPEN) {
      state = HALF_CLOSED_LOCAL;
    } else if (state == HALF_CLOSED_REMOTE) {
      state = CLOSED;
    }
  }

  /** The stream has ended at once: it was reset, or its connection has ended. */
  public void reset() {
    state = RESET;
  }

  /** The request and its response are over. */
  public void release() {
    state = IDLE;
  }

  /** Returns true from the begin of the request until it is released or reset. */
  public boolean isLive() {
    return state <= CLOSED;
  }

  /** Returns true while the server may send. */
  public boolean isSending() {
    return state <= HALF_CLOSED_REMOTE;
  }

  /** Returns true while the client may send. */
  public boolean isReceiving() {
    return state == OPEN || state == HALF_CLOSED_LOCAL;
  }
}
