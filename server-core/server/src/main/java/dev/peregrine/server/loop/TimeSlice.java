package dev.peregrine.server.loop;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The share of its loop that a turn of a connection may take: a number of steps, such as requests,
 * and a time. Reading the clock before each step would cost a small request a tenth of its time. So
 * it is read before every sixteenth step as long as the loop's turns are short, and before most of
 * the first ones once a turn was long. Used by the loop's thread only.
 */
public final class TimeSlice {
  /** Steps in one slice: a few dozen microseconds of the smallest requests. */
  public static final int STEPS_MAX = 128;

  /**
   * Time after which a slice ends. The end of a turn and the poll after it take some ten
   * microseconds, little compared with this. Other connections wait this long for each busy
   * connection.
   */
  public static final long NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(1);

  private static final int INTERVAL_MAX = 16;
  private static final int INTERVAL_GROWTH = 4;

  // A loop turn that serves hundreds of connections with 16 small requests each stays below this.
  static final long LONG_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  // After the last long turn or the last slice that ended by time. Arbitrary.
  static final int ALERT_TURNS = 64;

  private final LongSupplier clock;
  private int left; // steps before the clock is read
  private int interval; // steps between the previous reading and the next
  private int steps; // up to the next reading
  private long beganNanos; // begin of the slice; while not alert, of the loop's turn
  private long turnNanos;
  private int alertTurns;
  private int firstInterval = INTERVAL_MAX; // 1 while alert; a choice in begin() would be a branch
  private int alertInTurn; // the value of alertTurns; but 0 before the first slice of a turn

  TimeSlice(LongSupplier clock) {
    this.clock = clock;
    this.turnNanos = clock.getAsLong();
  }

  /** Begins a slice. */
  public void begin() {
    // While alert, both occur in each turn, so C2 compiles both branches. It leaves out what it
    // hasn't seen, as short turns in the first second, and compiles all anew when it comes.
    beganNanos = alertInTurn == 0 ? turnNanos : clock.getAsLong();
    alertInTurn = alertTurns;
    readAfter(0, firstInterval);
  }

  /** Counts a step that is about to be taken. Returns false if the turn must end before it. */
  public boolean step() {
    return --left >= 0 || continues();
  }

  private boolean continues() {
    if (steps == STEPS_MAX) {
      left = 0;
      return false;
    }
    if (clock.getAsLong() - beganNanos > NANOS_MAX) {
      left = 0;
      alert();
      return false;
    }
    readAfter(steps, interval * INTERVAL_GROWTH);
    left--;
    return true;
  }

  private void readAfter(int before, int wanted) {
    interval = Math.min(wanted, INTERVAL_MAX);
    left = Math.min(interval, STEPS_MAX - before);
    steps = before + left;
  }

  private void alert() {
    alertTurns = ALERT_TURNS;
    alertInTurn = ALERT_TURNS;
    firstInterval = 1;
  }

  /** Begins a turn of the loop. */
  void beginTurn(long nowNanos) {
    turnNanos = nowNanos;
    alertInTurn = 0;
  }

  /** Ends a turn of the loop. */
  void endTurn(long nowNanos) {
    if (nowNanos - turnNanos > LONG_TURN_NANOS) {
      alert();
    } else if (alertTurns > 0 && --alertTurns == 0) {
      firstInterval = INTERVAL_MAX;
    }
  }
}
