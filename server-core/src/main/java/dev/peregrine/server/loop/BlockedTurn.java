package dev.peregrine.server.loop;

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
 */
public record BlockedTurn(
    String loop, long nanos, String work, @Nullable String activity, String stack) {
  /** Returns true if the turn is over. */
  public boolean isOver() {
    return activity == null;
  }

  /** Returns the text for the log. */
  String text() {
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    return isOver()
        ? loop + " was busy for " + millis + " ms in the end" + work
        : loop + " has been busy for " + millis + " ms" + work + ", " + activity + stack;
  }
}
