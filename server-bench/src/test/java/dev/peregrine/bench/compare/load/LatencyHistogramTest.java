package dev.peregrine.bench.compare.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyHistogramTest {
  private static final int TIMES = 100_000;

  private final LatencyHistogram histogram = new LatencyHistogram();

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 1, 50, 90, 99, 99.9, 100})
  void percentilesAreAtMostAThirtySecondTooLong(double percent) {
    for (int nanos = 1; nanos <= TIMES; nanos++) {
      histogram.record(nanos);
    }
    long exact = Math.round(TIMES * percent / 100);
    assertThat(histogram.percentile(percent)).isBetween(exact, exact + exact / 32);
  }

  @Test
  void shortTimesAreExact() {
    for (int nanos = 1; nanos <= 10; nanos++) {
      histogram.record(nanos);
    }
    assertThat(histogram.percentile(50)).isEqualTo(5);
    assertThat(histogram.percentile(90)).isEqualTo(9);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 31, 32, 33, 1L << 40, Long.MAX_VALUE})
  void nothingIsLongerThanTheLongest(long nanos) {
    histogram.record(nanos);

    assertThat(histogram.percentile(99.9)).isEqualTo(nanos);
    assertThat(histogram.latencies().max()).isEqualTo(nanos / 1e3);
  }

  @Test
  void anEmptyHistogramHasZeros() {
    assertThat(histogram.latencies()).isEqualTo(new Latencies(0, 0, 0, 0, 0));
  }
}
