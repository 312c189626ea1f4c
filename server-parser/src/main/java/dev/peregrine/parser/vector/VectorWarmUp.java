package dev.peregrine.parser.vector;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Runs vector code until C2 has compiled it. Before that it is hundreds of times slower than words
 * and allocates.
 */
public final class VectorWarmUp {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final int FAST_SAMPLES_IN_A_ROW = 16;

  private VectorWarmUp() {}

  /**
   * Takes samples until a number of them in a row were fast, for up to 20 s.
   *
   * @param isFast runs the code, and returns true if it was faster than its form without vectors
   * @param stopped returns true once the vectors aren't needed any more
   * @return true if the code has become fast
   */
  public static boolean run(BooleanSupplier isFast, BooleanSupplier stopped) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    int fast = 0;
    while (fast < FAST_SAMPLES_IN_A_ROW) {
      if (stopped.getAsBoolean() || System.nanoTime() - end >= 0) {
        return false;
      }
      fast = isFastNow(isFast) ? fast + 1 : 0;
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
