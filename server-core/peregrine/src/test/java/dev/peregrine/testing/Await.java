package dev.peregrine.testing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for effects of other threads. The bound only ends a test that would hang. */
public final class Await {
  private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  private Await() {}

  /** Returns when the condition holds; fails when it doesn't within the bound. */
  public static void until(String what, BooleanSupplier condition) {
    until(() -> what, condition);
  }

  /**
   * Like {@link #until(String, BooleanSupplier)}, for a text that describes the state at the end.
   */
  public static void until(Supplier<String> what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > BOUND_NANOS) {
        throw new AssertionError("waited in vain until " + what.get());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
