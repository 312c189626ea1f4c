package dev.peregrine.server.loop;

import dev.peregrine.base.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The lengths of those turns of a loop that the watchdog asks for; without a lock or a fence. */
final class TurnNotes {
  private static final VarHandle ASKED =
      FieldHandle.of(MethodHandles.lookup(), "asked", long.class);

  private volatile @Nullable Thread watchdog;

  @SuppressWarnings("UnusedVariable") // accessed by ASKED
  private long asked = EventLoop.NOT_BUSY; // the turn whose length is noted when it ends

  private volatile long notedTurn = EventLoop.NOT_BUSY;
  private volatile long notedNanos; // how long that turn took; written before notedTurn

  /** Sets the watchdog's thread, which is unparked when it must look at the loop. */
  void watchBy(Thread thread) {
    watchdog = thread;
  }

  /** Has the watchdog look at the loop soon; callable from any thread. */
  void wakeWatchdog() {
    LockSupport.unpark(watchdog);
  }

  /**
   * Has the loop note how long a turn takes, unless it has ended; callable from any thread.
   *
   * @param turn when it began, as {@link EventLoop#busySinceNanos} returned it
   */
  void ask(long turn) {
    ASKED.setOpaque(this, turn);
  }

  /**
   * Returns the noted length of a turn in nanoseconds; -1 if it wasn't noted. Callable from any
   * thread.
   *
   * @param turn when it began, as {@link EventLoop#busySinceNanos} returned it
   */
  long nanos(long turn) {
    return notedTurn == turn ? notedNanos : -1;
  }

  /** A turn has ended; on the loop's thread. */
  void endTurn(long beganNanos, long nowNanos) {
    if ((long) ASKED.getOpaque(this) != EventLoop.NOT_BUSY) {
      note(beganNanos, nowNanos);
    }
  }

  private void note(long beganNanos, long nowNanos) {
    boolean isThisTurn = asked == beganNanos; // or one that ended before the watchdog asked for it
    asked = EventLoop.NOT_BUSY;
    if (isThisTurn) {
      notedNanos = nowNanos - beganNanos;
      notedTurn = beganNanos;
      wakeWatchdog();
    }
  }
}
