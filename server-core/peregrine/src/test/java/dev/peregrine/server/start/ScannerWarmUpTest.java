package dev.peregrine.server.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.testing.ServerLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a server changes to the vector scanner, by scripted times of both. */
final class ScannerWarmUpTest {
  private static final long OTHER_NANOS = 100;
  private static final int ENOUGH = ScannerWarmUp.FASTER_SAMPLES_IN_A_ROW;

  private final RequestParser vector = new RequestParser(ParserLimits.DEFAULT, ScannerKind.SWAR);
  private final RequestParser other = new RequestParser(ParserLimits.DEFAULT, ScannerKind.SCALAR);
  private final List<RequestParser> changes = new ArrayList<>();
  private int passes; // of the vector parser
  private int stepsLeft = 3;

  /** Runs a warm-up in which the samples of the vector parser take these times, then stops it. */
  private void run(long... vectorNanos) {
    try (ServerLog log = new ServerLog()) {
      new ScannerWarmUp(
              vector,
              other,
              () -> passes == vectorNanos.length * ScannerWarmUp.PASSES_PER_SAMPLE,
              changes::add,
              this::step,
              parser -> parser == vector ? nextOf(vectorNanos) : OTHER_NANOS)
          .run();
      assertThat(log.take(Level.INFO)).isEmpty();
    }
  }

  private boolean step() {
    assertThat(passes).isZero();
    return --stepsLeft > 0;
  }

  private long nextOf(long[] vectorNanos) {
    return vectorNanos[passes++ / ScannerWarmUp.PASSES_PER_SAMPLE];
  }

  private static long[] samples(int count, long nanos) {
    return IntStream.range(0, count).mapToLong(i -> nanos).toArray();
  }

  private static long[] join(long[] first, long[] second) {
    return LongStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray();
  }

  @Test
  void changesWhenVectorsWereFasterInEnoughSamples() {
    run(samples(ENOUGH + 1, OTHER_NANOS - 1));

    assertThat(changes).containsExactly(vector);
    assertThat(passes).isEqualTo(ENOUGH * ScannerWarmUp.PASSES_PER_SAMPLE);
  }

  @ParameterizedTest
  @ValueSource(longs = {OTHER_NANOS, OTHER_NANOS + 1, 2 * OTHER_NANOS - 1, 1000 * OTHER_NANOS})
  void staysOnWordsWhenVectorsAreNotFaster(long vectorNanos) {
    run(samples(2 * ENOUGH, vectorNanos));

    assertThat(changes).isEmpty();
  }

  @Test
  void countsAgainAfterASampleThatWasNotFaster() {
    long[] fasterOnceTooFew = samples(ENOUGH - 1, OTHER_NANOS - 1);
    run(join(fasterOnceTooFew, join(samples(1, OTHER_NANOS), fasterOnceTooFew)));

    assertThat(changes).isEmpty();
  }

  @Test
  void takesAllStepsBeforeItMeasures() {
    run(samples(1, OTHER_NANOS));

    assertThat(stepsLeft).isZero();
    assertThat(passes).isPositive();
  }

  @Test
  void ceasesBetweenStepsWhenItIsStopped() {
    run();

    assertThat(stepsLeft).isEqualTo(3);
  }

  /** A pass of code that isn't compiled leaves more than a megabyte of garbage. */
  @Test
  void restsAfterASinglePassThatTookFarTooLong() {
    long[] nanos = {ScannerWarmUp.HOPELESS * OTHER_NANOS, OTHER_NANOS - 1};
    List<Long> measured = new ArrayList<>();
    new ScannerWarmUp(
            vector,
            other,
            () -> measured.size() > ScannerWarmUp.PASSES_PER_SAMPLE,
            changes::add,
            () -> false,
            parser -> {
              if (parser == other) {
                return OTHER_NANOS;
              }
              measured.add(nanos[Math.min(measured.size(), 1)]);
              return measured.getLast();
            })
        .run();

    assertThat(measured).hasSize(1 + ScannerWarmUp.PASSES_PER_SAMPLE);
  }
}
