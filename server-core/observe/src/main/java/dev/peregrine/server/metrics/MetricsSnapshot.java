package dev.peregrine.server.metrics;

import java.util.List;

/**
 * The metrics of a server at one time, in the order of {@link Metric}. Immutable.
 *
 * <p>Counts never decrease from one snapshot to the next. The event loops don't wait while it is
 * taken, so a histogram may lack values of requests that end meanwhile, and its sum may include
 * some that its buckets lack.
 *
 * @param histograms a histogram of each kind for each combination of attributes that has occurred
 * @param values the counters, those that are 0 too
 */
public record MetricsSnapshot(List<MetricHistogram> histograms, List<MetricValue> values) {
  /** Keeps copies of the lists. */
  public MetricsSnapshot {
    histograms = List.copyOf(histograms);
    values = List.copyOf(values);
  }
}
