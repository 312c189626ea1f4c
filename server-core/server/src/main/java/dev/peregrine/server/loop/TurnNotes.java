package dev.peregrine.server.loop;

import dev.peregrine.base.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Notes of a loop for the watchdog: the lengths of those turns that it asks for, without a lock or
 * a fence, and the failure that the loop can't do its work after.
 */
public final class TurnNotes {
  /** In place of the time of a turn, while the loop waits. */
  public static final long NOT_BUSY = Long.MIN_VALUE;

  private static final VarHandle ASKED =
      FieldHandle.of(MethodHandles.lookup(), "asked", long.class);

  private volatile @Nullable Thread watchdog;

  @SuppressWarnings("UnusedVariable") // accessed by ASKED
  private long asked = NOT_BUSY; // the turn whose length is noted when it ends

  private volatile long notedTurn = NOT_BUSY;
  private volatile long notedNanos; // how long that turn took; written before notedTurn
  private volatile @Nullable Throwable fatalFailure; // the first one

  /** Sets the watchdog's thread, which is unparked when it must look at the loop. */
  public void watchBy(Thread thread) {
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
  public void ask(long turn) {
    ASKED.setOpaque(this, turn);
  }

  /**
   * Returns the noted length of a turn in nanoseconds; -1 if it wasn't noted. Callable from any
   * thread.
   *
   * @param turn when it began, as {@link EventLoop#busySinceNanos} returned it
   */
  public long nanos(long turn) {
    return notedTurn == turn ? notedNanos : -1;
  }

  /** The loop can't do its work any more; on its thread. */
  void fatal(Throwable cause) {
    if (fatalFailure == null) {
      fatalFailure = cause;
      wakeWatchdog();
    }
  }

  /** Returns the first failure that was passed to {@link #fatal}; callable from any thread. */
  public @Nullable Throwable fatalFailure() {
    return fatalFailure;
  }

  /** A turn has ended; on the loop's thread. */
  void endTurn(long beganNanos, long nowNanos) {
    if ((long) ASKED.getOpaque(this) != NOT_BUSY) {
      note(beganNanos, nowNanos);
    }
  }

  private void note(long beganNanos, long nowNanos) {
    boolean isThisTurn = asked == beganNanos; // or one that ended before the watchdog asked for it
    asked = NOT_BUSY;
    if (isThisTurn) {
      notedNanos = nowNanos - beganNanos;
      notedTurn = beganNanos;
      wakeWatchdog();
    }
  }
}
