package dev.peregrine.grpc;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for effects of other threads, also after a test, where its time limit doesn't count. The
 * bound only ends a test that would hang.
 */
final class Await {
  private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private Await() {}

  /** Returns when the condition holds; fails when it doesn't within the bound. */
  static void until(String what, BooleanSupplier condition) {
    until(() -> what, condition);
  }

  /**
   * Like {@link #until(String, BooleanSupplier)}, for a text that describes the state at the end.
   */
  static void until(Supplier<String> what, BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - begin > BOUND_NANOS) {
        throw new AssertionError("waited in vain until " + what.get());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
