package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LateStartTest {
  @Test
  void waitsUntilFirstCodeIsCompiled() {
    assertThat(LateStart.isEarly(LateStart.RESPONSE_NANOS - 1, 1)).isTrue();
    assertThat(LateStart.isEarly(LateStart.RESPONSE_NANOS, 1)).isFalse();
  }

  @Test
  void waitsNoLongerIfDescriptorsMayRunOut() {
    assertThat(LateStart.isEarly(0, LateStart.CONNECTIONS_MAX)).isTrue();
    assertThat(LateStart.isEarly(0, LateStart.CONNECTIONS_MAX + 1)).isFalse();
  }
}
