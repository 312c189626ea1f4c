package dev.peregrine.parser.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.Allocations;
import org.junit.jupiter.api.Test;

/** The first part of a warm-up, in a JVM in which other tests may have compiled its methods. */
final class StrideWarmUpTest {
  /** More than the interpreter leaves, if nothing is ever compiled; heads leave a hundred. */
  private static final long BYTES_MAX = 20_000_000;

  private static final int STEPS_MAX = 1_000;

  private final StrideWarmUp warmUp = new StrideWarmUp();

  @Test
  void endsWithLittleGarbageWhetherOrNotItsMethodsAreCompiled() {
    long bytes = Allocations.by(this::takeSteps);

    assertThat(bytes).isLessThan(BYTES_MAX);
    assertThat(warmUp.getAsBoolean()).isFalse();
  }

  private void takeSteps() {
    int steps = 0;
    while (warmUp.getAsBoolean()) {
      steps++;
      assertThat(steps).isLessThan(STEPS_MAX);
    }
  }
}
