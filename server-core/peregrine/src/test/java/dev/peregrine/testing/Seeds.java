package dev.peregrine.testing;

import java.util.SplittableRandom;

/** Reproducible random input: {@code -Dtest.seed=…} repeats a run that failed. */
public final class Seeds {
  /** A test of one random input. */
  @FunctionalInterface
  public interface Body {
    void run(SplittableRandom random) throws Exception;
  }

  private Seeds() {}

  /** Runs a test with a number of inputs; a failure names the seed. */
  public static void each(int inputs, Body body) {
    Long given = Long.getLong("test.seed");
    if (given != null) {
      run(given, body);
      return;
    }
    SplittableRandom seeds = new SplittableRandom();
    for (int i = 0; i < inputs; i++) {
      run(seeds.nextLong(), body);
    }
  }

  private static void run(long seed, Body body) {
    try {
      body.run(new SplittableRandom(seed));
    } catch (Throwable failure) {
      throw new AssertionError("failed with -Dtest.seed=" + seed, failure);
    }
  }
}
