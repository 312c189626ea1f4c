package dev.peregrine.parser.vector;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Runs vector code until C2 has compiled it. Before that it is hundreds of times slower than words
 * and allocates.
 */
public final class VectorWarmUp {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** Several times as many as C2 needs; on a starved machine they take longer than the patience. */
  static final int SLOW_SAMPLES_MIN = 1_000;

  static final int FAST_SAMPLES_IN_A_ROW = 16;

  private VectorWarmUp() {}

  /**
   * Takes samples until a number of them in a row were fast. Gives up after 20 s, but not before
   * 1,000 samples were slow: they show that this thread, and so the compiler's too, had the
   * processor.
   *
   * @param isFast runs the code, and returns true if it was faster than its form without vectors
   * @param stopped returns true once the vectors aren't needed any more
   * @return true if the code has become fast
   */
  public static boolean run(BooleanSupplier isFast, BooleanSupplier stopped) {
    return run(isFast, stopped, System::nanoTime);
  }

  /** The same by another clock. */
  static boolean run(BooleanSupplier isFast, BooleanSupplier stopped, LongSupplier nanoTime) {
    long end = nanoTime.getAsLong() + PATIENCE_NANOS;
    int fast = 0;
    int slow = 0;
    while (fast < FAST_SAMPLES_IN_A_ROW) {
      boolean impatient = slow >= SLOW_SAMPLES_MIN && nanoTime.getAsLong() - end >= 0;
      if (impatient || stopped.getAsBoolean()) {
        return false;
      }
      if (isFastNow(isFast)) {
        fast++;
      } else {
        fast = 0;
        slow++;
      }
    }
    return true;
  }

  private static boolean isFastNow(BooleanSupplier isFast) {
    try {
      return isFast.getAsBoolean();
    } catch (OutOfMemoryError full) {
      return false; // vector code allocates until it is compiled
    }
  }
}
