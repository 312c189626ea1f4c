package dev.peregrine.bench.compare.load;

import java.util.concurrent.TimeUnit;

/**
 * Counts times in buckets that are at most 1/32 of their time wide. Fixed memory; recording
 * allocates nothing. Used by one thread.
 */
final class LatencyHistogram {
  /** Buckets for each power of two, as a power of two. */
  private static final int FINENESS = 5;

  private static final int BUCKETS = 1 << FINENESS;

  private final long[] counts = new long[(Long.SIZE - FINENESS) * BUCKETS];
  private long total;
  private long maxNanos;

  void record(long nanos) {
    counts[bucket(nanos)]++;
    total++;
    maxNanos = Math.max(maxNanos, nanos);
  }

  /**
   * Returns the time in nanoseconds that the given part of all recorded times doesn't exceed; 0
   * without records.
   */
  long percentile(double percent) {
    long below = (long) Math.ceil(total * percent / 100);
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= below && seen > 0) {
        return Math.min(maxNanos, lastOf(i));
      }
    }
    return 0;
  }

  Latencies latencies() {
    return new Latencies(
        micros(percentile(50)),
        micros(percentile(90)),
        micros(percentile(99)),
        micros(percentile(99.9)),
        micros(maxNanos));
  }

  private static double micros(long nanos) {
    return (double) nanos / TimeUnit.MICROSECONDS.toNanos(1);
  }

  /** Returns the bucket of a time: its own below 32, above by the 5 bits after the highest. */
  private static int bucket(long nanos) {
    if (nanos < BUCKETS) {
      return (int) Math.max(0, nanos);
    }
    int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - FINENESS;
    return (shift << FINENESS) + (int) (nanos >>> shift);
  }

  private static long lastOf(int bucket) {
    if (bucket < BUCKETS) {
      return bucket;
    }
    int shift = (bucket >>> FINENESS) - 1;
    long first = (long) (bucket - (shift << FINENESS)) << shift;
    return first + (1L << shift) - 1;
  }
}
