package dev.peregrine.server.exchange.state;

/** The time in which a response must begin. Belongs to the event loop. */
public final class BeginLimit {
  /** In place of a time: the begin of the response has no time limit. */
  public static final long NOT_DUE = Long.MIN_VALUE;

  /** In place of a duration: that of the server. */
  public static final long DEFAULT = -1;

  private final long serverNanos; // 0 for no limit
  private long nanos = DEFAULT;
  private long dueNanos = NOT_DUE;

  BeginLimit(long serverNanos) {
    this.serverNanos = serverNanos;
  }

  /**
   * Sets how long the begin may take from now on.
   *
   * @param duration 0 for any time, or {@link #DEFAULT}
   */
  public void within(long duration) {
    nanos = duration;
    dueNanos = NOT_DUE;
  }

  /** Returns when the response must have begun, or {@link #NOT_DUE}. */
  public long await(long nowNanos) {
    long limit = nanos == DEFAULT ? serverNanos : nanos;
    if (limit == 0) {
      dueNanos = NOT_DUE;
    } else if (dueNanos == NOT_DUE) {
      dueNanos = nowNanos + limit;
    }
    return dueNanos;
  }

  /** Something else is awaited now. */
  public void pause() {
    dueNanos = NOT_DUE;
  }
}
