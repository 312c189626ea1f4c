package dev.peregrine.base;

import java.util.concurrent.TimeUnit;

/**
 * Points that a client may spend on what makes work and serves nothing. They return with time.
 * Belongs to a loop.
 */
public class PointBudget {
  private static final long REFILL_NANOS = TimeUnit.SECONDS.toNanos(5); // from empty to full

  private final long pointsMax;
  private long spent; // points, up to the time below
  private long atNanos;

  /** Creates a full budget. */
  public PointBudget(long pointsMax, long nowNanos) {
    this.pointsMax = pointsMax;
    this.atNanos = nowNanos;
  }

  /** Spends points. Returns false if there are not enough. */
  public final boolean spend(int points, long nowNanos) {
    refill(nowNanos);
    spent += points;
    return spent <= pointsMax;
  }

  /** Returns points, because something was served. */
  public final void restore(int points) {
    spent = Math.max(0, spent - points);
  }

  /** Returns true if more than half of the points are spent. */
  public final boolean isHalfSpent() {
    return 2 * spent > pointsMax;
  }

  private void refill(long nowNanos) {
    long passed = Math.min(nowNanos - atNanos, REFILL_NANOS);
    long back = passed * pointsMax / REFILL_NANOS;
    if (back > 0) {
      spent = Math.max(0, spent - back);
      atNanos = nowNanos;
    }
  }
}
