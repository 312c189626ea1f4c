package dev.peregrine.bench.compare.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RatedResultTest {
  private static final long BEGIN = 7_000_000_000L;
  private static final long MILLI = 1_000_000;

  private final LatencyHistogram latencies = new LatencyHistogram();
  private final Spans slow = new Spans();
  private final Spans hiccups = new Spans();

  @Test
  void reportsHowLongTheGeneratorWasAwayWithinEachPause() {
    latencies.record(8 * MILLI);
    slow.add(BEGIN + 1000 * MILLI, BEGIN + 1008 * MILLI);
    slow.add(BEGIN + 2000 * MILLI, BEGIN + 2006 * MILLI);
    hiccups.add(BEGIN + 999 * MILLI, BEGIN + 1003 * MILLI);
    hiccups.add(BEGIN + 1005 * MILLI, BEGIN + 1007 * MILLI);

    String report = new RatedResult(1, BEGIN, latencies, 2, slow, 4 * MILLI, hiccups).report();

    assertThat(report.lines())
        .containsExactly(
            "1 requests answered; latency in µs: p50 8000.0 p90 8000.0 p99 8000.0 p99.9 8000.0"
                + " p99.99 8000.0 max 8000.0",
            "more than 5 ms: 2 requests, in 2 pauses",
            "  at 1.000 s: 8000, 1 requests; the generator's own gap 4000",
            "  at 2.000 s: 6000, 1 requests; the generator's own gap 0",
            "the generator's own longest gap: 4000.0; 2 of more than 1 ms");
  }

  @Test
  void joinsSpansThatOverlapOrTouch() {
    slow.add(10, 20);
    slow.add(15, 22);
    slow.add(30, 40);
    slow.add(40, 50);
    assertThat(slow.all()).containsExactly(new Spans.Span(10, 22, 2), new Spans.Span(30, 50, 2));

    slow.add(12, 60);
    assertThat(slow.all()).containsExactly(new Spans.Span(10, 60, 5));
  }
}
