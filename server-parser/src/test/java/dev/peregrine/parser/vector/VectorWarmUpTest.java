package dev.peregrine.parser.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** When a warm-up ends, by scripted samples and a clock that they turn. */
final class VectorWarmUpTest {
  private static final int IN_A_ROW = VectorWarmUp.FAST_SAMPLES_IN_A_ROW;
  private static final int SLOW_MIN = VectorWarmUp.SLOW_SAMPLES_MIN;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private int samples;
  private long nanos;

  private boolean run(long nanosPerSample, IntPredicate isFast) {
    return VectorWarmUp.run(
        () -> {
          nanos += nanosPerSample;
          return isFast.test(samples++);
        },
        () -> false,
        () -> nanos);
  }

  @Test
  void endsWhenEnoughSamplesInARowWereFast() {
    assertThat(run(1, sample -> sample != IN_A_ROW - 1)).isTrue();
    assertThat(samples).isEqualTo(2 * IN_A_ROW);
  }

  @Test
  void waitsOnAStarvedMachineUntilEnoughSamplesWereTaken() {
    assertThat(run(SECOND, sample -> sample >= SLOW_MIN - 1)).isTrue();
    assertThat(nanos).isEqualTo((SLOW_MIN - 1 + IN_A_ROW) * SECOND);
  }

  @Test
  void givesUpAfterThatManySlowSamplesOnASlowMachine() {
    assertThat(run(SECOND, sample -> false)).isFalse();
    assertThat(samples).isEqualTo(SLOW_MIN);
  }

  @Test
  void givesUpAfter20SecondsOnAFastMachine() {
    assertThat(run(SECOND / 1_000, sample -> false)).isFalse();
    assertThat(nanos).isEqualTo(20 * SECOND);
  }

  @Test
  void endsWhenTheVectorsAreNotNeededAnyMore() {
    assertThat(VectorWarmUp.run(() -> true, () -> true, () -> nanos)).isFalse();
  }
}
