package dev.peregrine.bench.compare.load;

/** The times of batches in microseconds: percentiles and the longest; NaN if not known. */
public record Latencies(double p50, double p90, double p99, double p999, double max) {
  static final Latencies UNKNOWN =
      new Latencies(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
}
