package dev.peregrine.server.accesslog;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * Milliseconds since 1970 for values of {@link System#nanoTime}. Reads the system's clocks at most
 * every ten milliseconds, not for each line: often enough that a clock that was set, or a machine
 * that was suspended, misdates no later line. Used by one loop.
 */
final class WallClock {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final InstantSource clock;
  private long readNanos;
  private long readMillis;

  WallClock() {
    this(InstantSource.system());
  }

  WallClock(InstantSource clock) {
    this.clock = clock;
    read();
  }

  /**
   * Returns the time of an event.
   *
   * @param nanos when it happened
   * @param now about the present time
   */
  long millis(long nanos, long now) {
    if (now - readNanos >= PERIOD_NANOS) {
      read();
    }
    return readMillis + Math.floorDiv(nanos - readNanos, NANOS_PER_MILLI);
  }

  private void read() {
    readMillis = clock.millis();
    readNanos = System.nanoTime();
  }
}
