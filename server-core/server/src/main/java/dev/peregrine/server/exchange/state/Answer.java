package dev.peregrine.server.exchange.state;

/**
 * How far the handler has come with its response. The state changes once the loop has got what it
 * needs for it: a call that throws before, even for lack of stack or memory, can be repeated.
 *
 * <pre>
 *   OPEN ──send──────────────────▶ ENDED      (whole: head and content at once)
 *     ├───stream──▶ STREAMING ──end──▶ ENDED  (piece by piece)
 *     │                 └──end──▶ CLOSING ──the handler has returned──▶ ENDED
 *     └───fail, from any of these before ENDED──▶ FAILED (an error response, or a reset)
 * </pre>
 *
 * <p>Belongs to the thread that uses the response; the loop reads it when that can't, or takes what
 * it reads for out of date.
 */
public final class Answer {
  // Ints, not enums: see ExchangeProgress.
  private static final int OPEN = 0;
  private static final int STREAMING = 1;
  private static final int CLOSING = 2;
  private static final int ENDED = 3;
  private static final int FAILED = 4;

  private int state = OPEN;
  private boolean streamed; // a stream was given to the handler
  private volatile boolean later; // async was called, after any work that it was called with

  /** The exchange has ended, and may serve another request. */
  void reset() {
    state = OPEN;
    streamed = false;
    if (later) { // async has thrown; a volatile store costs more than a test
      later = false;
    }
  }

  public boolean isOpen() {
    return state == OPEN;
  }

  /** Returns true if the handler has closed its response, or it has failed. */
  public boolean isClosed() {
    return state >= CLOSING;
  }

  public boolean isEnded() {
    return state == ENDED;
  }

  /** Returns true if the handler has sent the response whole, even if it isn't encoded yet. */
  public boolean isSentWhole() {
    return state == ENDED && !streamed;
  }

  /** Returns true if the handler has neither begun a response nor said that one comes later. */
  public boolean isForgotten() {
    return state == OPEN && !later;
  }

  public void giveStream() {
    streamed = true;
  }

  public void beginStream() {
    state = STREAMING;
  }

  /** Records that the handler has closed its stream; {@link #end} follows when it has returned. */
  public void close() {
    if (state != ENDED) {
      state = CLOSING;
    }
  }

  public void end() {
    state = ENDED;
  }

  public void fail() {
    state = state == ENDED ? ENDED : FAILED;
  }

  /** Sets whether the handler has said that its response comes later. */
  public void comesLater(boolean isLater) {
    later = isLater;
  }
}
