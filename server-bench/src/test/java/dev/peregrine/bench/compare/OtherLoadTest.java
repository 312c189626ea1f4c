package dev.peregrine.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a report says that its figures are doubtful. */
class OtherLoadTest {
  private final OtherLoad load = new OtherLoad();

  @Test
  void doubtsNothingOnAnIdleMachine() {
    load.add(OtherLoad.SHARE_MAX);
    load.add(Double.NaN);
    load.add(-1);

    assertThat(load.doubts()).isEmpty();
  }

  @Test
  void namesTheLargestShareOfOtherPrograms() {
    load.add(0.42);
    load.add(0.01);

    assertThat(load.doubts()).singleElement().asString().contains("42 % of the machine");
  }

  @Test
  void namesWhatWasNotMeasured() {
    load.addFailure("echo of Netty");
    load.addFailure("plain of Jetty");

    assertThat(load.doubts()).containsExactly("Not measured: echo of Netty; plain of Jetty.");
  }
}
