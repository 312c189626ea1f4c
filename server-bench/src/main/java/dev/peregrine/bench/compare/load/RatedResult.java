package dev.peregrine.bench.compare.load;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The result of a run of {@link RatedGenerator}. Moments are those of {@link System#nanoTime}.
 *
 * @param requests number of requests; all were answered
 * @param beginNanos when the first was due
 * @param latencies of all requests, since each was due
 * @param slowRequests number of requests that took more than 5 ms
 * @param slow when requests took more than 5 ms
 * @param longestGapNanos longest time between two polls of the generator
 * @param hiccups when more than 1 ms was between two polls: pauses of the generator or the machine,
 *     which the server doesn't cause
 */
record RatedResult(
    long requests,
    long beginNanos,
    LatencyHistogram latencies,
    long slowRequests,
    Spans slow,
    long longestGapNanos,
    Spans hiccups) {

  /**
   * Returns the result as lines of text; times are in microseconds unless another unit is given.
   */
  String report() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%d requests answered; latency in µs:"
                + " p50 %.1f p90 %.1f p99 %.1f p99.9 %.1f p99.99 %.1f max %.1f%n",
            requests,
            percentile(50),
            percentile(90),
            percentile(99),
            percentile(99.9),
            percentile(99.99),
            percentile(100)));
    List<Spans.Span> pauses = slow.all();
    text.append(
        String.format("more than 5 ms: %d requests, in %d pauses%n", slowRequests, pauses.size()));
    for (Spans.Span pause : pauses) {
      text.append(
          String.format(
              Locale.ROOT,
              "  at %.3f s: %.0f, %d requests; the generator's own gap %.0f%n",
              micros(pause.from() - beginNanos) / 1e6,
              micros(pause.nanos()),
              pause.count(),
              micros(hiccups.longestWithin(pause))));
    }
    text.append(
        String.format(
            Locale.ROOT,
            "the generator's own longest gap: %.1f; %d of more than 1 ms%n",
            micros(longestGapNanos),
            hiccups.all().stream().mapToInt(Spans.Span::count).sum()));
    return text.toString();
  }

  private double percentile(double percent) {
    return micros(latencies.percentile(percent));
  }

  private static double micros(long nanos) {
    return (double) nanos / TimeUnit.MICROSECONDS.toNanos(1);
  }
}
