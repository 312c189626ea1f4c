package dev.peregrine.server.pace;

/**
 * How long a client may keep a window closed for which content waits. It is judged by the rate at
 * which it takes content, like a connection whose socket takes none; time in which the server could
 * have sent doesn't count.
 */
public final class TakingPatience {
  private final DataRate rate;
  private boolean stalled; // the window held content back at the last call
  private long dueNanos; // when the client's credit is used up

  public TakingPatience(DataRate rate) {
    this.rate = rate;
  }

  public void begin(long nowNanos) {
    stalled = false;
    dueNanos = nowNanos;
  }

  /** Counts content that the window has let pass. */
  public void onTaken(long bytes, long nowNanos) {
    dueNanos = rate.extend(dueNanos, bytes, nowNanos);
  }

  /**
   * Judges the client; called about once a second.
   *
   * @param isStalled whether the window holds content back now
   * @return true if it has done so for too long
   */
  public boolean judge(boolean isStalled, long nowNanos) {
    if (isStalled && !stalled) {
      dueNanos = rate.begin(dueNanos, nowNanos);
    }
    stalled = isStalled;
    return isStalled && rate.isBelow(dueNanos, nowNanos);
  }
}
