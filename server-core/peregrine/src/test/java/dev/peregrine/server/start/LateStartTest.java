package dev.peregrine.server.start;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LateStartTest {
  @Test
  void waitsUntilFirstCodeIsCompiled() {
    assertThat(LateStart.isEarly(true, LateStart.RESPONSE_NANOS - 1, false)).isTrue();
    assertThat(LateStart.isEarly(true, LateStart.RESPONSE_NANOS, false)).isFalse();
  }

  @Test
  void waitsForAFirstRequest() {
    assertThat(LateStart.isEarly(false, LateStart.DELAY_NANOS_MAX - 1, false)).isTrue();
    assertThat(LateStart.isEarly(false, LateStart.DELAY_NANOS_MAX, false)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void waitsNoLongerThanConnectionsDo(boolean requested) {
    assertThat(LateStart.isEarly(requested, 0, false)).isTrue();
    assertThat(LateStart.isEarly(requested, 0, true)).isFalse();
  }
}
