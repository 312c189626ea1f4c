package dev.peregrine.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TimeTextTest {
  @ParameterizedTest
  @CsvSource({
    "PT1.5S, 1.5 s",
    "PT0S, 0 s",
    "PT1S, 1 s",
    "PT0.999S, 999 ms",
    "PT0.02S, 20 ms",
    "PT0.0000005S, 0.0005 ms",
    "PT2M, 120 s",
    "PT24H, 86400 s",
    "PT876024H, 36501 days",
    "PT876025H, 3153690000 s",
    "PT-0.5S, -500 ms",
    "PT-1.5S, -1.5 s"
  })
  void namesTheUnit(Duration time, String text) {
    assertThat(TimeText.of(time)).isEqualTo(text);
  }
}
