package dev.peregrine.server.http2.flow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The states of a stream by what may be sent, received and released in them. */
final class StreamStateTest {
  private final StreamState state = new StreamState();

  private void step(char step) {
    switch (step) {
      case 'o' -> state.open(false);
      case 'e' -> state.open(true);
      case 'r' -> state.receiveEnd();
      case 's' -> state.sendEnd();
      case 'x' -> state.reset();
      case 'i' -> state.release();
      default -> throw new AssertionError(step);
    }
  }

  /** Steps, then whether it sends, receives and is live. */
  @ParameterizedTest
  @CsvSource({
    "'',   false, false, false",
    "o,    true,  true,  true",
    "e,    true,  false, true",
    "or,   true,  false, true",
    "os,   false, true,  true",
    "ors,  false, false, true",
    "osr,  false, false, true",
    "es,   false, false, true",
    "esrs, false, false, true",
    "orr,  true,  false, true",
    "esi,  false, false, false",
    "esio, true,  true,  true",
    "ox,   false, false, false",
    "oxr,  false, false, false",
    "oxs,  false, false, false",
    "esx,  false, false, false"
  })
  void goesThroughTheStatesOfTheRfc(String steps, boolean sends, boolean receives, boolean isLive) {
    steps.chars().forEach(step -> step((char) step));

    assertThat(state.isSending()).isEqualTo(sends);
    assertThat(state.isReceiving()).isEqualTo(receives);
    assertThat(state.isLive()).isEqualTo(isLive);
  }
}
