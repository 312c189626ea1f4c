package dev.peregrine.testing;

import java.util.concurrent.TimeUnit;

/** Processes that a test has started. */
public final class Processes {
  private Processes() {}

  /** Waits for the end of a process that was signalled to end, and kills it if it doesn't. */
  public static void awaitEnd(Process process, long secondsMax) {
    try {
      if (!process.waitFor(secondsMax, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
