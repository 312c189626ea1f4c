package dev.peregrine.base;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Failures of the application's code that any client can cause, where no log of an event loop is at
 * hand: a hundred in ten seconds, like those of handlers. One more line counts the others. Callable
 * from any thread. Never throws.
 */
public final class FailureLog extends LogFrame {
  static final int LINES_PER_PERIOD_MAX = 100;
  static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final AtomicLong periodSinceNanos = new AtomicLong(System.nanoTime());
  private final AtomicInteger lines = new AtomicInteger();

  /** Logs a failure with its stack. */
  public void add(String text, Throwable failure) {
    add(text, failure, System.nanoTime());
  }

  void add(String text, Throwable failure, long nowNanos) {
    long since = periodSinceNanos.get();
    if (nowNanos - since >= PERIOD_NANOS && periodSinceNanos.compareAndSet(since, nowNanos)) {
      int dropped = lines.getAndSet(0) - LINES_PER_PERIOD_MAX;
      if (dropped > 0) {
        Log.add(Level.INFO, dropped + " more of these were not logged");
      }
    }
    if (lines.incrementAndGet() <= LINES_PER_PERIOD_MAX
        && !Log.tryAdd(Level.ERROR, text, failure)) {
      lines.decrementAndGet(); // a line that could not be written doesn't count
    }
  }
}
