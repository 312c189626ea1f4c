package dev.peregrine.bench.compare.load;

import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/** Medians of few values, and how sure they are. */
public final class Medians {
  private static final int RESAMPLES = 2000;
  private static final long SEED = 1;

  private Medians() {}

  /** Returns the median; of an even number, the mean of the two in the middle. */
  public static double of(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Returns the median with its interval of 95 % by bootstrap as text; empty without values. */
  static String withInterval(double... values) {
    if (values.length == 0) {
      return "";
    }
    Random random = new Random(SEED);
    double[] medians = new double[RESAMPLES];
    double[] sample = new double[values.length];
    for (int i = 0; i < RESAMPLES; i++) {
      for (int j = 0; j < sample.length; j++) {
        sample[j] = values[random.nextInt(sample.length)];
      }
      medians[i] = of(sample);
    }
    Arrays.sort(medians);
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f–%.2f)",
        of(values),
        medians[RESAMPLES / 40],
        medians[RESAMPLES - 1 - RESAMPLES / 40]);
  }
}
