package dev.peregrine.server.metrics;

import dev.peregrine.base.LoopCounters;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The three histograms of one event loop for requests with the same attributes. Written by the
 * loop's thread; {@link #addTo} may be called from any thread.
 */
final class Series {
  private static final long[] NANOS = bounds(Metric.HTTP_SERVER_REQUEST_DURATION);
  private static final long[] BYTES = bounds(Metric.HTTP_SERVER_REQUEST_BODY_SIZE);

  // Each histogram has its sum first, which is written first and read last.
  private static final int DURATION = 0;
  private static final int REQUEST = DURATION + NANOS.length + 2;
  private static final int RESPONSE = REQUEST + BYTES.length + 2;
  static final int CELLS = RESPONSE + BYTES.length + 2;

  final @Nullable SeriesKey key; // null for the requests above the limit
  final @Nullable Series next; // the series that the loop created before
  private final LoopCounters counters = new LoopCounters(CELLS);
  private Sinks sinks = Sinks.NONE;

  Series(@Nullable SeriesKey key, @Nullable Series next) {
    this.key = key;
    this.next = next;
  }

  private static long[] bounds(Metric metric) {
    double scale = metric.unit().equals("s") ? TimeUnit.SECONDS.toNanos(1) : 1;
    return metric.bounds().stream().mapToLong(bound -> Math.round(bound * scale)).toArray();
  }

  Map<String, String> attributes() {
    return key == null ? RequestAttributes.OVERFLOW : RequestAttributes.unpack(key);
  }

  void record(long durationNanos, long requestBytes, long responseBytes) {
    count(DURATION, NANOS, durationNanos);
    count(REQUEST, BYTES, requestBytes);
    count(RESPONSE, BYTES, responseBytes);
  }

  private void count(int histogram, long[] bounds, long value) {
    int bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]) { // most values are in the first ones
      bucket++;
    }
    counters.add(histogram, value);
    counters.add(histogram + 1 + bucket, 1);
  }

  /** Passes a request to the sinks of the present exporters. */
  void pass(Exporters present, long durationNanos, long requestBytes, long responseBytes) {
    if (sinks.of() != present) {
      sinks = present.sinks(attributes());
    }
    sinks.record(durationNanos, requestBytes, responseBytes);
  }

  /** Adds all counts to sums of several loops. */
  void addTo(long[] sums) {
    for (int i = CELLS - 1; i >= 0; i--) { // the sums after their buckets
      sums[i] += counters.get(i);
    }
  }

  /** Returns a histogram of sums that {@link #addTo} has filled. */
  static MetricHistogram histogram(Metric metric, Map<String, String> attributes, long[] sums) {
    int at =
        switch (metric) {
          case HTTP_SERVER_REQUEST_DURATION -> DURATION;
          case HTTP_SERVER_REQUEST_BODY_SIZE -> REQUEST;
          default -> RESPONSE;
        };
    double sum = sums[at];
    if (at == DURATION) {
      sum /= TimeUnit.SECONDS.toNanos(1);
    }
    int buckets = metric.bounds().size() + 1;
    return new MetricHistogram(
        metric, attributes, sum, Arrays.stream(sums, at + 1, at + 1 + buckets).boxed().toList());
  }
}
