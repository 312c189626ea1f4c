package dev.peregrine.server.loop.watch;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.loop.BoundedLog;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.loop.TurnNotes;
import dev.peregrine.server.loop.watch.BlockedTurn.Fault;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches event loops from a separate thread. Reports a turn that takes too long once for each
 * activity in which it is found, and once when it is over. Passes on the failure of a loop that
 * can't do its work any more. The loops neither allocate nor synchronise for it.
 */
public final class LoopWatchdog implements AutoCloseable {
  /**
   * The pause between two looks at handlers while none is found and none was left for a minute. A
   * look takes some 40 µs from a loop that has the same processor, most of them for the wake-up.
   */
  static final long CALM_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(8);

  /** The pause otherwise. A handler that two looks find running is left. */
  static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  static final long CALM_AFTER_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The pause after a handler was left, because more of its kind may be waiting. */
  static final long SHORT_TICK_NANOS = TimeUnit.MICROSECONDS.toNanos(250);

  static final long SHORT_TICKS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long CHECK_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long FATAL_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int STACK_FRAMES_MAX = 32;

  private final Watched[] watched;
  private final LoopRelief relief;
  private final long blockedNanos;
  private final Consumer<BlockedTurn> onBlocked;
  private final Consumer<Throwable> onFatal;
  private final Thread thread;
  private final BoundedLog log = new BoundedLog();
  private final BoundedLog fewLines = new BoundedLog(1);
  private final Object looking = new Object();
  private boolean closed; // guarded by the lock "looking"
  private boolean fatalPassedOn;

  /**
   * Creates and starts a watchdog.
   *
   * @param threadName name of its thread
   * @param blockedNanos how long a turn may take before it is reported
   * @param leftHandlersMax how many handlers may be left at a time on threads that another one has
   *     relieved
   * @param onBlocked takes each report after the log, on the watchdog's thread
   * @param onFatal takes the cause, on the watchdog's thread, when a loop can't do its work any
   *     more; it is called again until it returns normally
   */
  public LoopWatchdog(
      String threadName,
      List<EventLoop> loops,
      long blockedNanos,
      int leftHandlersMax,
      Consumer<BlockedTurn> onBlocked,
      Consumer<Throwable> onFatal) {
    this.watched = new Watched[loops.size()];
    this.blockedNanos = blockedNanos;
    this.onBlocked = onBlocked;
    this.onFatal = onFatal;
    this.thread = new Thread(new Watch(), threadName); // as in EventLoop
    thread.setDaemon(true);
    for (int i = 0; i < watched.length; i++) { // streams take a start milliseconds, here and below
      watched[i] = new Watched(loops.get(i));
      loops.get(i).notes().watchBy(thread);
    }
    this.relief = new LoopRelief(loops, leftHandlersMax, thread);
    thread.start();
  }

  /** Does once what a thread without memory must be able to do; see {@link LoopOwner#prepare}. */
  public static void prepare() {
    LoopRelief.prepare();
  }

  /** Ends the watch; on return, no thread watches the loops any more. */
  @Override
  public void close() {
    synchronized (looking) {
      closed = true;
    }
    relief.close();
    LockSupport.unpark(thread);
  }

  private boolean isClosed() {
    synchronized (looking) {
      return closed;
    }
  }

  /**
   * Returns the pause between two looks at handlers.
   *
   * @param sinceNanos the time since a handler was left
   * @param suspects whether the last look has found something that the next may find unchanged
   */
  static long tickNanos(long sinceNanos, boolean suspects) {
    if (sinceNanos < SHORT_TICKS_NANOS) {
      return SHORT_TICK_NANOS;
    }
    return suspects || sinceNanos < CALM_AFTER_NANOS ? TICK_NANOS : CALM_TICK_NANOS;
  }

  private void watch() {
    long pauseNanos = Math.max(blockedNanos / 2, CHECK_NANOS_MIN);
    long lookedNanos = System.nanoTime();
    while (!isClosed()) {
      long before = System.nanoTime();
      long lookNanos = fatalIsWaiting() ? FATAL_RETRY_NANOS : lookedNanos + pauseNanos - before;
      long waitNanos = Math.min(lookNanos, relief.pauseNanos());
      LockSupport.parkNanos(this, waitNanos);
      EventLoop.clearInterrupt(); // otherwise it would never park again
      checkRelief();
      long now = System.nanoTime();
      boolean isAsked = now - before < waitNanos;
      if (isAsked || now - before >= lookNanos) {
        // If the watchdog itself was late, the machine is slow, and a report would blame the loops.
        lookAtAll(now - lookedNanos < 2 * pauseNanos);
        lookedNanos = now;
      }
    }
  }

  private void lookAtAll(boolean onTime) {
    for (Watched one : watched) {
      look(one, onTime);
    }
    try {
      for (LeftHandler handler : relief.left()) {
        pass(check(handler));
      }
    } catch (Throwable failure) {
      // For example, out of memory: the next check follows soon.
    }
  }

  private void look(Watched one, boolean onTime) {
    try {
      one.loop.wakeUpIfMissed();
      Throwable fatal = one.loop.notes().fatalFailure();
      if (fatal != null && !fatalPassedOn) {
        onFatal.accept(fatal);
        fatalPassedOn = true;
      }
      pass(check(one, onTime));
    } catch (Throwable failure) {
      // For example, out of memory: the next check follows soon.
    }
  }

  private void pass(@Nullable BlockedTurn report) {
    if (report != null) {
      log(report);
      onBlocked.accept(report);
    }
  }

  /** Logs a report; if the application isn't at fault, few of them and without their ends. */
  private void log(BlockedTurn report) {
    if (report.fault() == Fault.APPLICATION) {
      log.warn(report.text());
    } else if (!report.isOver()) {
      fewLines.add(report.fault().level, report.text());
    }
  }

  private @Nullable BlockedTurn check(LeftHandler handler) {
    synchronized (looking) {
      if (closed) {
        return null;
      }
      if (handler.isEnded()) {
        relief.forget(handler);
      }
      return handler.report(System.nanoTime(), blockedNanos);
    }
  }

  private boolean fatalIsWaiting() {
    if (!fatalPassedOn) {
      for (Watched one : watched) {
        if (one.loop.notes().fatalFailure() != null) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the report about a loop; null if none is due. */
  private @Nullable BlockedTurn check(Watched one, boolean onTime) {
    synchronized (looking) {
      if (closed) {
        return null; // the loops may be releasing the memory that a description reads
      }
      long turn = one.loop.busySinceNanos();
      if (one.turn != TurnNotes.NOT_BUSY && one.turn != turn) {
        return one.end();
      }
      if (turn == TurnNotes.NOT_BUSY || !onTime) {
        return null;
      }
      long now = System.nanoTime();
      long since = one.turn == turn ? one.lookedNanos : turn;
      return now - since < blockedNanos ? null : lookAt(one, turn, now);
    }
  }

  /**
   * Examines the activity of a long turn. Returns a report unless the activity is the same as the
   * last time.
   */
  private @Nullable BlockedTurn lookAt(Watched one, long turn, long now) {
    EventLoop loop = one.loop;
    String work = describe(loop); // first: at the end of a handler, its request is forgotten
    Thread carried = loop.owner().carried();
    StackTraceElement[] stack = (carried == null ? loop.thread() : carried).getStackTrace();
    loop.notes().ask(turn);
    if (loop.busySinceNanos() != turn) {
      return null; // the turn has ended, and the stack is another turn's
    }
    LoopActivity activity = LoopActivity.of(stack);
    boolean isSameTurn = one.turn == turn;
    one.turn = turn;
    one.lookedNanos = now;
    if (isSameTurn && activity.equals(one.activity)) {
      return null;
    }
    one.activity = activity;
    Fault fault = activity.fault(carried != null, false);
    // After the application's code the server's own may take long, too, on a slow machine.
    if (!isSameTurn || one.fault != Fault.APPLICATION) {
      one.work = work;
      one.fault = fault;
    }
    return new BlockedTurn(
        loop.name(),
        now - turn,
        work,
        activity.describe(carried != null, relief.reasonOfNone(now)),
        frames(stack),
        fault);
  }

  /** Returns the innermost frames of a stack, for a report. */
  static String frames(StackTraceElement[] stack) {
    StringBuilder frames = new StringBuilder();
    for (int frame = 0; frame < Math.min(stack.length, STACK_FRAMES_MAX); frame++) {
      frames.append("\n\tat ").append(stack[frame]);
    }
    return frames.toString();
  }

  /** Describes the work of a loop, as a report says it. */
  static String describe(EventLoop loop) {
    try {
      String work = loop.describe();
      return work == null ? "" : " with " + work;
    } catch (RuntimeException changedMeanwhile) {
      return "";
    }
  }

  private void checkRelief() {
    try {
      relief.check();
    } catch (Throwable failure) {
      Log.add(Level.ERROR, Incident.WATCHDOG_FAILED, failure);
    }
  }

  /** The thread's work; not a lambda, to start sooner. */
  private final class Watch implements Runnable {
    /**
     * Watches until it is closed. This loop around that of {@link #watch} is never compiled: if the
     * JVM finds no memory while it leaves compiled code, it drops all calls of that code, without
     * their {@code catch} blocks.
     */
    @Override
    public void run() {
      boolean over = false;
      while (!over) {
        try {
          watch();
          over = true;
        } catch (Throwable failure) {
          // For example, out of memory: the watch continues.
        }
      }
    }
  }

  /** A loop with its reported turn, if that isn't over yet. */
  private static final class Watched {
    final EventLoop loop;
    long turn = TurnNotes.NOT_BUSY;
    long lookedNanos; // when that was checked last
    @Nullable LoopActivity activity; // the activity at that time
    String work = "";
    Fault fault = Fault.MACHINE; // the application's, if any report of the turn said so

    Watched(EventLoop loop) {
      this.loop = loop;
    }

    /** Reports the length of a turn that is over. */
    @Nullable BlockedTurn end() {
      long nanos = loop.notes().nanos(turn);
      turn = TurnNotes.NOT_BUSY;
      return nanos < 0 ? null : new BlockedTurn(loop.name(), nanos, work, null, "", fault);
    }
  }
}
