package dev.peregrine.http;

/** A run of a handler on a virtual thread; see {@link Handlers#BLOCKING}. Thread-safe. */
public sealed interface BlockingRun permits BlockingCall {
  /** Returns true once the handler's thread runs. */
  boolean isStarted();

  /**
   * Returns the {@link System#nanoTime} at which the handler's thread began to run; 0 before. If
   * the event loop runs that thread, and neither a listener nor a callback is notified of the
   * exchange's end, it is the time at which the turn of the loop began.
   */
  long startedNanos();
}
