package dev.peregrine.server.loop.watch;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.loop.Relief;
import dev.peregrine.server.loop.TurnNotes;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Has another thread take a loop over whose handler runs too long, so that the other connections
 * don't wait for it. The watchdog's thread checks; threads that have left their handlers stay for
 * some seconds to take the next loop.
 */
final class LoopRelief {
  /** While a program starts, code is slow because it isn't compiled. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The time that a thread has to take a loop, before another one is started. */
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** After this time even a loop that doesn't wait for a lock is taken for one that waits. */
  private static final long STUCK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final int IDLE_TICKS_MAX = 4;
  private static final int SPARE_SECONDS = 5;

  private final List<Checked> loops = new ArrayList<>();
  private final int leftMax;
  private final Thread watchdog;
  private final long beganNanos = System.nanoTime();
  private long checkedNanos = beganNanos;
  private volatile long leftNanos = // when a handler was left last
      beganNanos - LoopWatchdog.CALM_AFTER_NANOS;
  private boolean suspects; // the last check has found a handler, or a loop that waits
  private int idleTicks;
  private volatile boolean active; // handlers may be left, or threads have parked
  private volatile boolean dozing; // until a loop has something to do
  private volatile boolean closed;
  private volatile @Nullable SynchronousQueue<Shift> shifts; // created for the first shift
  private final AtomicInteger away = new AtomicInteger(); // threads that are needed for no loop
  private final Set<LeftHandler> left = ConcurrentHashMap.newKeySet();

  /**
   * Creates the relief of some loops.
   *
   * @param leftMax how many handlers may run at a time on threads that were relieved; 0 for none
   */
  LoopRelief(List<EventLoop> loops, int leftMax, Thread watchdog) {
    this.leftMax = leftMax;
    this.watchdog = watchdog;
    this.active = leftMax > 0;
    for (EventLoop loop : loops) {
      Checked one = new Checked(loop);
      this.loops.add(one);
      loop.relieveBy(one);
    }
  }

  // ---- the watchdog's thread ----

  /** Returns how long the watchdog may wait before the next check. */
  long pauseNanos() {
    return !active || dozing ? Long.MAX_VALUE : tickNanos(checkedNanos);
  }

  private long tickNanos(long nowNanos) {
    return LoopWatchdog.tickNanos(nowNanos - leftNanos, suspects);
  }

  /** Checks every loop, unless that was done just before. */
  void check() {
    long now = System.nanoTime();
    if (!active || now - checkedNanos < tickNanos(now)) {
      return;
    }
    checkedNanos = now;
    boolean relieves = leftMax > 0 && !isQuiet(now);
    boolean idle = true;
    suspects = false;
    for (Checked one : loops) {
      idle &= check(one, relieves, now);
    }
    idleTicks = idle ? idleTicks + 1 : 0;
    if (idleTicks > IDLE_TICKS_MAX) {
      idleTicks = 0;
      doze();
    }
  }

  private boolean isQuiet(long nowNanos) {
    return nowNanos - beganNanos < QUIET_NANOS;
  }

  /** Returns why a handler keeps its loop, for a report. */
  String reasonOfNone(long nowNanos) {
    if (away.get() >= leftMax) {
      return "leftHandlersMax handlers run already";
    }
    return isQuiet(nowNanos)
        ? "no handler is left in the first second of a server"
        : "no thread has taken it over yet";
  }

  /** Ends the checks until a loop asks for them, unless one has begun a turn meanwhile. */
  private void doze() {
    dozing = true; // before the loops are looked at: they do it the other way round
    for (Checked one : loops) {
      if (one.loop.busySinceNanos() != TurnNotes.NOT_BUSY) {
        dozing = false;
      }
    }
  }

  /** Checks a loop. Returns true if it waits and has run no handler since the last time. */
  private boolean check(Checked one, boolean relieves, long nowNanos) {
    LoopOwner owner = one.loop.owner();
    int run = owner.run();
    int count = owner.count();
    long turn = one.loop.busySinceNanos();
    boolean same = count == one.count;
    boolean stuck = same && turn == one.turn && turn != TurnNotes.NOT_BUSY;
    if (!stuck) {
      one.changedNanos = nowNanos;
    }
    one.count = count;
    one.turn = turn;
    suspects |= (relieves && run != 0) || (turn != TurnNotes.NOT_BUSY && one.isBlocked());
    if (same && run != 0 && relieves && one.isDue(run, nowNanos)) {
      one.requestedRun = run;
      one.requestedNanos = nowNanos;
      one.request(run);
    } else if (stuck && one.isWaiting(nowNanos)) {
      runParked(one.loop);
    }
    return same && turn == TurnNotes.NOT_BUSY;
  }

  /**
   * Has another thread run the steps of parked threads that wait for a loop. The loop may itself
   * wait for a lock that was passed to one of those threads, and neither would continue.
   */
  private static void runParked(EventLoop loop) {
    try {
      if (loop.parked().anyIsRunnable()) {
        newThread(loop, loop.parked()::runElsewhere).start();
      }
    } catch (Throwable failure) { // no memory for a thread: the next check tries again
      Log.add(Level.WARNING, Incident.RELIEF_FAILED, failure);
    }
  }

  /** Creates a thread that can run a loop. */
  private static Thread newThread(EventLoop loop, Runnable work) {
    boolean daemon = loop.thread().isDaemon();
    return Thread.ofPlatform().daemon(daemon).name(loop.name() + "-spare").unstarted(work);
  }

  /** Returns the handlers that have been left, for the watchdog, which removes those that ended. */
  Iterable<LeftHandler> left() {
    return left;
  }

  void forget(LeftHandler ended) {
    left.remove(ended);
  }

  /** Ends the threads that wait for a loop. */
  void close() {
    closed = true;
    SynchronousQueue<Shift> waiting = shifts;
    boolean more = true;
    while (more) {
      more = waiting != null && waiting.offer(Shift.END);
    }
  }

  // ---- the threads that take loops over ----

  /** Has a thread wait once, because the first wait initialises classes of the JDK. */
  static void prepare() {
    try {
      Object none = new SynchronousQueue<>().poll(1, TimeUnit.NANOSECONDS);
      assert none == null;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs loops whose threads must be relieved, one after the other; on a thread for that. */
  private void work(@Nullable Shift first) {
    Shift shift = first;
    while (shift != null && shift.loop != null) {
      EventLoop loop = shift.loop;
      shift = relieve(loop, shift.run) ? await(loop) : null;
    }
  }

  /**
   * Takes the place of a loop's thread, and runs the loop until it ends or is relieved itself.
   * Returns true if the calling thread is free for another loop.
   *
   * @param run the run of the application's code that must be left, unless it is over
   */
  private boolean relieve(EventLoop loop, int run) {
    return !loop.owner().take(run) || !leave(loop, run) || !loop.run(true);
  }

  /** Leaves the handler that runs to its thread. Returns false if that isn't possible now. */
  private boolean leave(EventLoop loop, int run) {
    Thread caller = Thread.currentThread();
    Thread relieved = loop.thread();
    if (away.incrementAndGet() > leftMax) {
      loop.owner().giveBack(run);
      int ignored = away.decrementAndGet();
      return false;
    }
    LeftHandler handler = null;
    String nameOfLeft;
    try {
      nameOfLeft = loop.name() + "-left";
      handler = new LeftHandler(loop, relieved, loop.nanos(), LoopWatchdog.describe(loop));
      left.add(handler);
      loop.confineTo(caller);
      loop.user().leaveHandler();
    } catch (Throwable failure) {
      loop.confineTo(relieved);
      loop.owner().giveBack(run); // first: what follows may need memory
      int ignored = away.decrementAndGet();
      if (handler != null) {
        handler.end(System.nanoTime()); // the watchdog removes it
      }
      Log.add(Level.WARNING, Incident.RELIEF_FAILED, failure);
      return false;
    }
    loop.runBy(caller);
    rename(relieved, nameOfLeft);
    rename(caller, loop.name());
    loop.owner().keep(run);
    leftNanos = System.nanoTime();
    return true;
  }

  private static void rename(Thread thread, String name) {
    try {
      thread.setName(name);
    } catch (Throwable noMemory) {
      // It keeps the name that it has.
    }
  }

  private @Nullable Shift await(EventLoop from) {
    EventLoop.clearInterrupt();
    SynchronousQueue<Shift> waiting = Objects.requireNonNull(shifts); // of this thread's shift
    Shift next = null;
    try {
      Thread.currentThread().setName(from.name() + "-spare");
      for (int i = 0; i < SPARE_SECONDS && next == null && !closed && !from.isOver(); i++) {
        next = waiting.poll(1, TimeUnit.SECONDS);
      }
    } catch (InterruptedException | OutOfMemoryError ended) {
      return null; // another thread is started when one is needed
    }
    return next;
  }

  /** A loop, with what was found at the last check. */
  private final class Checked implements Relief {
    final EventLoop loop;
    int count;
    long turn = TurnNotes.NOT_BUSY;
    long changedNanos; // when one of these two was seen to change last
    int requestedRun; // the last run of a handler that was too long
    long requestedNanos;

    Checked(EventLoop loop) {
      this.loop = loop;
    }

    /** Returns true if the loop's thread waits for a lock. */
    boolean isBlocked() {
      return loop.thread().getState() != Thread.State.RUNNABLE;
    }

    /**
     * Returns true if the loop's thread waits for a lock, or for anything else for long. One that
     * doesn't wait may be in a native call, or lack a processor, which others would take from it.
     */
    boolean isWaiting(long nowNanos) {
      return isBlocked() || nowNanos - changedNanos > STUCK_NANOS;
    }

    @Override
    public boolean isDozing() {
      return dozing;
    }

    @Override
    public void wake() {
      dozing = false;
      LockSupport.unpark(watchdog);
    }

    @Override
    public void beginWatch() {
      if (!active) {
        active = true;
        LockSupport.unpark(watchdog);
      }
    }

    @Override
    public void request(int run) {
      Shift shift = new Shift(loop, run);
      if (closed || away.get() >= leftMax) {
        return;
      }
      try {
        SynchronousQueue<Shift> waiting = shifts;
        if (waiting == null) {
          waiting = new SynchronousQueue<>();
          shifts = waiting;
        }
        if (waiting.offer(shift)) {
          return;
        }
        newThread(loop, () -> work(shift)).start();
      } catch (Throwable failure) { // no memory for a thread: the next check tries again
        Log.add(Level.WARNING, Incident.RELIEF_FAILED, failure);
      }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // threads are compared by identity
    public void onReturn(long nowNanos) {
      while (true) {
        try {
          for (LeftHandler handler : left) {
            if (handler.thread == Thread.currentThread() && !handler.isEnded()) {
              handler.end(nowNanos);
              int ignored = away.decrementAndGet();
            }
          }
          return;
        } catch (Throwable noMemory) { // retried, because the thread has nothing else to do
          LockSupport.parkNanos(this, RETRY_NANOS);
        }
      }
    }

    @Override
    public void spare() {
      work(await(loop));
    }

    @Override
    public List<Thread> threads() {
      List<Thread> threads = new ArrayList<>();
      threads.add(loop.thread()); // first: a handler that is left meanwhile is added before
      for (LeftHandler handler : left) {
        if (handler.isOf(loop) && !handler.isEnded()) {
          threads.add(handler.thread);
        }
      }
      return threads;
    }

    /** Returns true if a run that is too long hasn't been requested to be left just before. */
    boolean isDue(int run, long nowNanos) {
      return run != requestedRun || nowNanos - requestedNanos > RETRY_NANOS;
    }
  }

  /**
   * A loop to take over.
   *
   * @param run the run of the application's code that takes too long
   */
  private record Shift(@Nullable EventLoop loop, int run) {
    static final Shift END = new Shift(null, 0);
  }
}
