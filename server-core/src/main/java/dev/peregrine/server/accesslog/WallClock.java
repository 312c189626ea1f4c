package dev.peregrine.server.accesslog;

import java.util.concurrent.TimeUnit;

/**
 * Milliseconds since 1970 for values of {@link System#nanoTime}. Reads the system's clocks once a
 * second, not for each line. Used by one loop.
 */
final class WallClock {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private long readNanos = System.nanoTime();
  private long readMillis = System.currentTimeMillis();

  /**
   * Returns the time of an event.
   *
   * @param nanos when it happened
   * @param now about the present time
   */
  long millis(long nanos, long now) {
    if (now - readNanos >= PERIOD_NANOS) {
      readMillis = System.currentTimeMillis();
      readNanos = System.nanoTime();
    }
    return readMillis + Math.floorDiv(nanos - readNanos, NANOS_PER_MILLI);
  }
}
