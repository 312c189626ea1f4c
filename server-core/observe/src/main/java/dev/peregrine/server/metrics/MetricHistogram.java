package dev.peregrine.server.metrics;

import java.util.List;
import java.util.Map;

/**
 * A histogram in a {@link MetricsSnapshot}.
 *
 * @param metric a histogram
 * @param attributes names and values, in a fixed order
 * @param sum of all values, in the unit of the metric
 * @param counts of the values in each bucket: one for each of {@link Metric#bounds}, and one for
 *     larger values
 */
public record MetricHistogram(
    Metric metric, Map<String, String> attributes, double sum, List<Long> counts) {
  /** Keeps a copy of the list. */
  public MetricHistogram {
    counts = List.copyOf(counts);
  }

  /** Returns the number of values in all buckets. */
  public long count() {
    return counts.stream().mapToLong(Long::longValue).sum();
  }
}
