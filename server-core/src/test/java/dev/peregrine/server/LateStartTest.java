package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LateStartTest {
  @Test
  void waitsUntilFirstCodeIsCompiled() {
    assertThat(LateStart.isEarly(true, LateStart.RESPONSE_NANOS - 1, 1)).isTrue();
    assertThat(LateStart.isEarly(true, LateStart.RESPONSE_NANOS, 1)).isFalse();
  }

  @Test
  void waitsForAFirstRequest() {
    assertThat(LateStart.isEarly(false, LateStart.DELAY_NANOS_MAX - 1, 0)).isTrue();
    assertThat(LateStart.isEarly(false, LateStart.DELAY_NANOS_MAX, 0)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void waitsNoLongerIfDescriptorsMayRunOut(boolean requested) {
    assertThat(LateStart.isEarly(requested, 0, LateStart.CONNECTIONS_MAX)).isTrue();
    assertThat(LateStart.isEarly(requested, 0, LateStart.CONNECTIONS_MAX + 1)).isFalse();
  }
}
