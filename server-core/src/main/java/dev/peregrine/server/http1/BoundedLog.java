package dev.peregrine.server.http1;

import dev.peregrine.server.loop.EventLoop;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Log lines that clients can cause: a few per second, and then only how many there were. */
final class BoundedLog {
  private static final Logger LOGGER = System.getLogger("dev.peregrine.server");
  private static final int LINES_PER_PERIOD_MAX = 10;
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final EventLoop loop;
  private long periodSinceNanos;
  private int lines;
  private long dropped;

  BoundedLog(EventLoop loop) {
    this.loop = loop;
    this.periodSinceNanos = loop.nanos();
  }

  void add(Supplier<String> line) {
    if (!LOGGER.isLoggable(Level.INFO)) {
      return;
    }
    long now = loop.nanos();
    if (now - periodSinceNanos >= PERIOD_NANOS) {
      if (dropped > 0) {
        LOGGER.log(Level.INFO, dropped + " more of these were not logged");
      }
      periodSinceNanos = now;
      lines = 0;
      dropped = 0;
    }
    if (lines < LINES_PER_PERIOD_MAX) {
      lines++;
      LOGGER.log(Level.INFO, line.get());
    } else {
      dropped++;
    }
  }
}
