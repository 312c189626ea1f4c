package dev.peregrine.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TimeSliceTest {
  private static final long SMALL = 300;

  private long nowNanos = 1_000_000_000;
  private int readings;
  private final TimeSlice slice = new TimeSlice(this::read);

  private long read() {
    readings++;
    return nowNanos;
  }

  @Test
  void endsAfterItsStepsHoweverShortTheyAre() {
    assertThat(steps(1_000, 0)).isEqualTo(TimeSlice.STEPS_MAX);
    alert();
    assertThat(steps(1_000, 0)).isEqualTo(TimeSlice.STEPS_MAX);
  }

  @Test
  void allowsNoStepAfterItsEnd() {
    assertThat(steps(1_000, 0)).isEqualTo(TimeSlice.STEPS_MAX);
    assertThat(slice.step()).isFalse();
    assertThat(slice.step()).isFalse();

    alert();
    assertThat(steps(1_000, TimeSlice.NANOS_MAX + 1)).isEqualTo(1);
    assertThat(slice.step()).isFalse();
    assertThat(slice.step()).isFalse();
  }

  @Test
  void readsNoClockForSixteenSmallStepsWhileTurnsAreShort() {
    slice.beginTurn(nowNanos);
    readings = 0;
    assertThat(steps(16, SMALL)).isEqualTo(16);
    assertThat(readings).isZero();

    assertThat(steps(17, SMALL)).isEqualTo(17);
    assertThat(readings).isEqualTo(1);
  }

  @Test
  void endsAfterItsTimeAtTheSixteenthStepAtTheLatest() {
    slice.beginTurn(nowNanos);

    assertThat(steps(1_000, TimeSlice.NANOS_MAX)).isEqualTo(16);
  }

  @Test
  void endsAfterOneLongStepOnceATurnWasLong() {
    slice.beginTurn(nowNanos);
    assertThat(steps(16, TimeSlice.NANOS_MAX)).isEqualTo(16); // no more were wanted
    slice.endTurn(nowNanos);

    assertThat(steps(16, TimeSlice.NANOS_MAX + 1)).isEqualTo(1);
  }

  @Test
  void endsAfterOneLongStepAsLongAsSlicesEndByTime() {
    alert();
    for (int turn = 0; turn < 10 * TimeSlice.ALERT_TURNS; turn++) {
      slice.beginTurn(nowNanos);
      assertThat(steps(16, TimeSlice.NANOS_MAX + 1)).isEqualTo(1);
      slice.endTurn(nowNanos);
    }
  }

  @Test
  void takesATurnOfJustTheLengthForAShortOne() {
    slice.beginTurn(nowNanos);
    slice.endTurn(nowNanos + TimeSlice.LONG_TURN_NANOS);
    assertThat(steps(16, TimeSlice.NANOS_MAX)).isEqualTo(16);

    slice.endTurn(nowNanos + TimeSlice.LONG_TURN_NANOS + 1);
    assertThat(steps(16, TimeSlice.NANOS_MAX + 1)).isEqualTo(1);
  }

  @Test
  void readsNoClockAgainAfterEnoughShortTurns() {
    alert();
    for (int turn = 0; turn < TimeSlice.ALERT_TURNS; turn++) {
      readings = 0;
      assertThat(steps(16, SMALL)).isEqualTo(16);
      assertThat(readings).isBetween(1, 4);
      slice.beginTurn(nowNanos);
      slice.endTurn(nowNanos);
    }
    readings = 0;
    assertThat(steps(16, SMALL)).isEqualTo(16);
    assertThat(readings).isZero();
  }

  private void alert() {
    slice.beginTurn(nowNanos);
    slice.endTurn(nowNanos + TimeSlice.LONG_TURN_NANOS + 1);
  }

  /** Returns how many steps a slice allows of the wanted number, if each takes that time. */
  private int steps(int wanted, long nanosEach) {
    slice.begin();
    int taken = 0;
    while (taken < wanted && slice.step()) {
      taken++;
      nowNanos += nanosEach;
    }
    return taken;
  }
}
