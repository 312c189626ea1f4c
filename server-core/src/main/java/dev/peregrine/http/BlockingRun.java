package dev.peregrine.http;

/** A run of a handler on a virtual thread; see {@link Handlers#BLOCKING}. Thread-safe. */
public final class BlockingRun {
  private volatile long startedNanos;
  private volatile boolean started;

  BlockingRun() {}

  void start() {
    startedNanos = System.nanoTime();
    started = true;
  }

  /** Returns true once the handler's thread runs. */
  public boolean isStarted() {
    return started;
  }

  /** Returns the {@link System#nanoTime} at which the handler's thread began to run; 0 before. */
  public long startedNanos() {
    return startedNanos;
  }
}
