package dev.peregrine.server.loop;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.base.LogFrame;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Log lines that clients can cause: ten in ten seconds by default. One more line counts the lines
 * above that. A logger that throws (out of memory or descriptors) never affects the caller.
 */
public final class BoundedLog extends LogFrame {
  private static final int LINES_PER_PERIOD_MAX = 10;
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  static {
    try {
      // Created now, because the handling of a failure must not allocate.
      for (Class<?> needed : List.of(Incident.class, Log.class)) {
        Class<?> ignored = MethodHandles.lookup().ensureInitialized(needed);
      }
    } catch (IllegalAccessException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final @Nullable EventLoop loop; // null for the clock of another thread
  private final int linesMax;
  private long periodSinceNanos;
  private int lines;
  private long dropped;

  /** Creates a log for the lines of one loop, used by its thread only. */
  public BoundedLog(EventLoop loop) {
    this(loop, LINES_PER_PERIOD_MAX);
  }

  /** Creates a log of another number of lines per period. */
  public BoundedLog(EventLoop loop, int linesMax) {
    this.loop = loop;
    this.linesMax = linesMax;
    this.periodSinceNanos = loop.nanos();
  }

  /** Creates a log for another thread. */
  public BoundedLog() {
    this(LINES_PER_PERIOD_MAX);
  }

  /** Creates a log for another thread, of another number of lines per period. */
  public BoundedLog(int linesMax) {
    this.loop = null;
    this.linesMax = linesMax;
    this.periodSinceNanos = System.nanoTime();
  }

  /**
   * Reserves a line about a client; returns false if it may not be written. Call this first and
   * then {@link #add}, so that no text is built for lines that aren't written.
   */
  public boolean reserve() {
    return Log.isWritten(Level.INFO) && isDue();
  }

  /** Logs a line about a client, after {@link #reserve} has returned true. */
  public void add(String line) {
    count(Log.tryAdd(Level.INFO, line, null));
  }

  /** Logs a line of any level; one that isn't written doesn't count. Never throws. */
  public void add(Level level, String line) {
    if (Log.isWritten(level) && isDue()) {
      count(Log.tryAdd(level, line, null));
    }
  }

  /** Logs a fault of the application. Never throws. */
  public void warn(String text) {
    if (isDue()) {
      count(Log.tryAdd(Level.WARNING, text, null));
    }
  }

  /**
   * Logs a failure. An {@link OutOfMemoryError} is logged without its stack, which doesn't show the
   * cause. Never throws.
   */
  public void add(String text, @Nullable Throwable failure) {
    try {
      if (isDue()) {
        boolean memory = failure instanceof OutOfMemoryError;
        count(
            memory
                ? Log.tryAdd(Level.ERROR, text + ": " + failure, null)
                : Log.tryAdd(Level.ERROR, text, failure));
      }
    } catch (Throwable unwritable) {
      count(false);
    }
  }

  /** Counts a line. A line that could not be written doesn't count, so that a later one is. */
  private void count(boolean written) {
    if (!written) {
      lines--;
      dropped++;
    }
  }

  private boolean isDue() {
    long now = loop == null ? System.nanoTime() : loop.nanos();
    if (now - periodSinceNanos >= PERIOD_NANOS) {
      if (dropped > 0) {
        Log.tryAdd(Level.INFO, dropped + " more of these were not logged", null);
      }
      periodSinceNanos = now;
      lines = 0;
      dropped = 0;
    }
    if (lines < linesMax) {
      lines++;
      return true;
    }
    dropped++;
    return false;
  }

  /** Logs a failure of the server itself; null if there is no exception. Never throws. */
  public void add(Incident incident, @Nullable Throwable failure) {
    add(incident.toString(), failure);
  }
}
