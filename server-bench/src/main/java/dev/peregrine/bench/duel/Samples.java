package dev.peregrine.bench.duel;

import java.util.Arrays;

/** Times of one contender on one corpus, in nanoseconds per pass. */
final class Samples {
  private final double[] nanos;
  private int count;

  Samples(int most) {
    nanos = new double[most];
  }

  void add(double nanosPerPass) {
    nanos[count++] = nanosPerPass;
  }

  double minimum() {
    return Arrays.stream(nanos, 0, count).min().orElse(Double.NaN);
  }

  /** Returns the middle time, or the mean of the two in the middle. */
  double median() {
    double[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
  }
}
