package dev.peregrine.server.connection;

import dev.peregrine.server.observe.CloseReason;

/**
 * How far a connection has come to its end, and how it ends. It decides; {@link Connection} acts.
 *
 * <pre>
 *   OPEN ──begin, breakOff──▶ CLOSING ──linger──▶ LINGERING ──end of stream, time, bytes──▶ CLOSED
 *     └────────────────────────────── close, abort, failure ──────────────────────────────▶
 * </pre>
 *
 * Bytes, not enums, because every open connection has one of these, and a reference store into a
 * tenured object costs a GC write barrier.
 */
final class Closing {
  /** Bytes can be received and sent. */
  private static final byte OPEN = 0;

  /** Unsent bytes are being sent; nothing is read. */
  private static final byte CLOSING = 1;

  /** The end of the stream was sent; bytes that the client still sends are discarded. */
  private static final byte LINGERING = 2;

  /** The socket is closed, and its memory is released. */
  private static final byte CLOSED = 3;

  private static final CloseReason[] REASONS = CloseReason.values();

  private byte state = OPEN;
  private byte reason; // ordinal of a CloseReason once it isn't open
  private boolean brokenOff; // the protocol has been notified of the end
  private boolean resets; // the end of the stream would make incomplete content look complete

  boolean isOpen() {
    return state == OPEN;
  }

  boolean isClosing() {
    return state == CLOSING;
  }

  boolean isLingering() {
    return state == LINGERING;
  }

  boolean isClosed() {
    return state == CLOSED;
  }

  /** Returns true if the protocol has been notified of the end. */
  boolean isBrokenOff() {
    return brokenOff;
  }

  /** Returns true if a reset takes the place of the end of the stream. */
  boolean resets() {
    return resets;
  }

  /** Returns the reason of an end that has begun. */
  CloseReason reason() {
    return REASONS[reason];
  }

  /** Has the connection end with a reset, unless all bytes are sent before. */
  void reset() {
    resets = true;
  }

  /** Begins the end in order. Returns false if it has begun before. */
  boolean begin(CloseReason why) {
    boolean first = state == OPEN;
    if (first) {
      close(why, CLOSING);
    }
    return first;
  }

  /** Begins the end within a response. Returns false if that isn't possible any more. */
  boolean breakOff(CloseReason why) {
    boolean first = state <= CLOSING && !brokenOff;
    if (first) {
      close(why, CLOSING);
      brokenOff = true;
    }
    return first;
  }

  /** All bytes are sent: the end of the stream is right, unless a response was broken off. */
  void endOutput() {
    resets &= brokenOff;
  }

  /** The end of the stream is sent, or its reset waits. */
  void linger() {
    state = LINGERING;
  }

  /**
   * Ends the connection. Returns the reason to report: the first one if all bytes were sent or a
   * response was broken off, unless the server shuts down; otherwise the last.
   */
  CloseReason close(CloseReason last) {
    boolean isDecided = state == LINGERING || (state == CLOSING && brokenOff);
    CloseReason reported = isDecided && last != CloseReason.SHUTDOWN ? reason() : last;
    close(reported, CLOSED);
    return reported;
  }

  @SuppressWarnings("EnumOrdinal") // stored in this object only
  private void close(CloseReason why, byte next) {
    reason = (byte) why.ordinal();
    state = next;
  }
}
