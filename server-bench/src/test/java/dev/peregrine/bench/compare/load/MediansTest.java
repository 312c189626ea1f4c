package dev.peregrine.bench.compare.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MediansTest {
  @Test
  void theMedianIsInTheMiddle() {
    assertThat(Medians.of(3.0, 1.0, 2.0)).isEqualTo(2);
    assertThat(Medians.of(4.0, 1.0, 2.0, 3.0)).isEqualTo(2.5);
  }

  @Test
  void equalValuesLeaveNoDoubt() {
    assertThat(Medians.withInterval(1.5, 1.5, 1.5)).isEqualTo("1.50 (1.50–1.50)");
    assertThat(Medians.withInterval()).isEmpty();
  }

  @Test
  void theIntervalHoldsTheMedianAndLeavesOutRareValues() {
    double[] values = {1.0, 1.1, 1.1, 1.2, 1.2, 1.2, 1.3, 1.3, 90.0};

    assertThat(Medians.withInterval(values)).isEqualTo("1.20 (1.10–1.30)");
  }
}
