package dev.peregrine.http.filter;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A limit of concurrency that follows the latency (additive increase, multiplicative decrease).
 *
 * <p>At the end of each window it falls by a tenth if the requests that ended in it were served for
 * longer than the target on average, and rises by a twentieth if they weren't and the limit was
 * reached. So a service that has little to do doesn't raise it. Thread-safe; one thread judges a
 * window, and no other waits for it.
 */
final class AdaptiveMax {
  static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final int FALL = 10;
  private static final int RISE = 20;

  private final int least;
  private final int most;
  private final long targetNanos;
  private final LongSupplier clock;
  private final AtomicInteger max;
  private final AtomicLong servedNanos = new AtomicLong(); // this and below: of the window
  private final AtomicInteger served = new AtomicInteger();
  private final AtomicInteger peak = new AtomicInteger();
  private final ReentrantLock judging = new ReentrantLock();
  private volatile long windowEnd;

  /**
   * Creates a limit that begins at its least.
   *
   * @param clock returns nanoseconds
   */
  AdaptiveMax(int least, int most, long targetNanos, LongSupplier clock) {
    this.least = least;
    this.most = most;
    this.targetNanos = targetNanos;
    this.clock = clock;
    this.max = new AtomicInteger(least);
    this.windowEnd = clock.getAsLong() + WINDOW_NANOS;
  }

  /** Returns the limit. */
  int get() {
    return max.get();
  }

  /** Returns the time in nanoseconds. */
  long now() {
    return clock.getAsLong();
  }

  /**
   * Counts a request that has ended.
   *
   * @param latencyNanos the time from its admission until its response began
   * @param inUse the requests that were served at this time, with this one
   * @return the change of the limit, 0 in most cases
   */
  int ended(long latencyNanos, int inUse) {
    long now = clock.getAsLong();
    servedNanos.addAndGet(latencyNanos);
    served.incrementAndGet();
    if (inUse > peak.get()) {
      peak.set(inUse); // a lost one is seen at the next end
    }
    return now - windowEnd >= 0 && judging.tryLock() ? judge(now) : 0;
  }

  private int judge(long now) {
    try {
      if (now - windowEnd < 0) {
        return 0; // another thread has judged it just now
      }
      windowEnd = now + WINDOW_NANOS;
      int count = served.getAndSet(0);
      long nanos = servedNanos.getAndSet(0);
      boolean reached = peak.getAndSet(0) >= max.get();
      int before = max.get();
      int after = before;
      if (count > 0 && nanos / count > targetNanos) {
        after = Math.max(least, before - Math.max(1, before / FALL));
      } else if (reached) {
        after = Math.min(most, before + Math.max(1, before / RISE));
      }
      max.set(after);
      return after - before;
    } finally {
      judging.unlock();
    }
  }
}
