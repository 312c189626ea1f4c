package dev.peregrine.server.loop.watch;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A report of the watchdog about a turn that takes, or took, too long.
 *
 * @param loop the name of the loop's thread
 * @param nanos for how long the turn has lasted
 * @param work the request and its client, after " with "; empty if they aren't known
 * @param activity the activity of the thread; null once the turn is over
 * @param stack the innermost frames, each in a line of its own; empty once the turn is over
 * @param fault whose fault it is, by the last activity that was seen
 */
public record BlockedTurn(
    String loop, long nanos, String work, @Nullable String activity, String stack, Fault fault) {
  /** Whose fault a long turn is: it decides what the log has of it. */
  enum Fault {
    /** Code of the application keeps a loop. Each report is logged with its stack. */
    APPLICATION(Level.WARNING),
    /** A file or the log, which the server itself uses. A few lines. */
    DISK(Level.WARNING),
    /** Class loading, or the server's own work: the machine is slow. A few lines. */
    MACHINE(Level.INFO),
    /** A blocking handler takes its time on a thread that no loop needs. */
    NOBODY(Level.DEBUG);

    final Level level;

    Fault(Level level) {
      this.level = level;
    }
  }

  /** Returns true if the turn is over. */
  public boolean isOver() {
    return activity == null;
  }

  /** Returns the text for the log. */
  String text() {
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    if (isOver()) {
      return loop + " was busy for " + millis + " ms in the end" + work;
    }
    String frames = fault == Fault.APPLICATION ? stack : "";
    return loop + " has been busy for " + millis + " ms" + work + ", " + activity + frames;
  }
}
