package dev.peregrine.server.loop;

import dev.peregrine.base.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Which thread runs a loop, and at which moments another thread may take its place.
 *
 * <pre>
 *   SERVER ──begin──▶ APPLICATION ──take──▶ TAKING ──keep──▶ SERVER, for the other thread
 *     ▲  ◀──────end────┤    ▲                  │
 *     │                │    └────giveBack──────┘
 *     └──enter─────────┘ (exit is the way back)
 * </pre>
 *
 * <p>A loop can change its thread only in APPLICATION, while a handler runs. A handler that calls
 * the server enters it, for the time of the call. Both cost an uncontended compare-and-set. A
 * thread that was relieved finds out at its next such call: the number in the state has changed.
 */
@SuppressWarnings("ReferenceEquality") // threads are compared by identity, on every request's path
public final class LoopOwner {
  /** The caller doesn't run the loop. */
  public static final int OUTSIDE = 0;

  /** The caller runs the loop, and the server's code was entered before. */
  public static final int NESTED = 1;

  /** The caller runs the loop, and has entered the server's code by this call. */
  public static final int ENTERED = 2;

  /** The result of {@link #begin} while the loop keeps its thread: no run that could be taken. */
  private static final int PINNED = 0;

  private static final VarHandle STATE = FieldHandle.of(MethodHandles.lookup(), "state", int.class);
  private static final VarHandle CARRIED =
      FieldHandle.of(MethodHandles.lookup(), "carried", Thread.class);

  // The low bits of the state; the others number the runs of the application's code.
  private static final int SERVER = 0;
  private static final int APPLICATION = 1;
  private static final int TAKING = 2;
  private static final int KIND = 3;
  private static final int ONE_RUN = 4;

  private int state = SERVER; // plain reads only by the thread that runs the loop
  private @Nullable Thread runner; // written before the state, and read after it
  private int pins; // the loop's

  @SuppressWarnings("UnusedVariable") // accessed by CARRIED
  private @Nullable Thread carried;

  /**
   * Does each change of a loop's thread once, because the first time needs memory, and a loop that
   * is being taken has no thread.
   */
  public static void prepare() {
    LoopOwner any = new LoopOwner();
    any.beginBy(Thread.currentThread());
    int run = any.begin();
    any.exit(any.enter());
    boolean isTaken = any.take(run);
    any.giveBack(run);
    isTaken &= any.take(run);
    any.keep(run);
    assert isTaken && !any.end(run);
  }

  /** Returns true if the caller runs the loop. */
  public boolean isCurrent() {
    return Thread.currentThread() == runner;
  }

  /** Returns true if the caller runs the loop, in the server's code; meant for assertions. */
  public boolean isServing() {
    return isCurrent() && (state & KIND) == SERVER;
  }

  // ---- the thread that runs the loop ----

  /** Makes a thread the runner of a loop that has none. */
  void beginBy(Thread first) {
    runner = first;
  }

  /** Keeps the thread of the loop until {@link #unpin}, because its callers can't be left. */
  public void pin() {
    pins++;
  }

  public void unpin() {
    pins--;
  }

  public boolean isPinned() {
    return pins > 0;
  }

  /** Sets the virtual thread that the loop's thread is about to carry; null at its end. */
  public void carry(@Nullable Thread virtual) {
    CARRIED.setOpaque(this, virtual);
  }

  /** Returns the virtual thread that the loop's thread carries, if any; on any thread. */
  public @Nullable Thread carried() {
    return (Thread) CARRIED.getOpaque(this);
  }

  /**
   * Begins to run code of the application; the loop may change its thread from now on. Returns what
   * {@link #end} needs.
   */
  public int begin() {
    if (pins > 0) {
      return PINNED;
    }
    int run = (state & ~KIND) + ONE_RUN + APPLICATION;
    STATE.setRelease(this, run);
    return run;
  }

  /** Ends to run code of the application. Returns false if another thread runs the loop by now. */
  public boolean end(int run) {
    while (run != PINNED && !STATE.compareAndSet(this, run, run - APPLICATION)) {
      if (!isBack(run)) {
        // The loop has kept its thread if a call wasn't left, because its stack had ended.
        return isCurrent() && state == run - APPLICATION;
      }
    }
    return true;
  }

  /** Waits until it is decided whether the loop changes its thread. Returns false if it has. */
  private boolean isBack(int run) {
    int seen = (int) STATE.getVolatile(this);
    while (seen == run - APPLICATION + TAKING) {
      await();
      seen = (int) STATE.getVolatile(this);
    }
    return seen == run;
  }

  /**
   * Waits a moment; not by a park, which could take a permit that is meant for the handler. A
   * virtual thread keeps its carrier, because a yield would unmount it: what its caller owes to
   * others could then wait for the loop that carries it. The thread that decides needs neither that
   * carrier nor a lock of the caller, so the system gives it a processor in any case.
   */
  @SuppressWarnings("ThreadPriorityCheck") // a hint is enough: the other thread is about to decide
  private static void await() {
    if (Thread.currentThread().isVirtual()) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  /**
   * Enters the server's code, if the caller runs the loop; callable from any thread. {@link #exit}
   * must follow, with the result: {@link #OUTSIDE}, {@link #NESTED} or {@link #ENTERED}.
   */
  public int enter() {
    while (true) {
      int seen = (int) STATE.getAcquire(this);
      if (!isCurrent()) {
        return OUTSIDE;
      }
      int kind = seen & KIND;
      if (kind == SERVER) {
        return NESTED;
      }
      if (kind == APPLICATION && STATE.compareAndSet(this, seen, seen - APPLICATION)) {
        return ENTERED;
      }
      await(); // another thread is about to take the loop
    }
  }

  /**
   * Enters the server's code from a thread that the loop carries, if the loop has carried it in the
   * given run and still does. {@link #exit} must follow, with the result, and until then the caller
   * must not wait for anything: the loop's thread would continue below it.
   */
  public int enterCarried(int run) {
    if (run == PINNED) {
      return NESTED;
    }
    while (!STATE.compareAndSet(this, run, run - APPLICATION)) {
      if (!isBack(run)) {
        return OUTSIDE;
      }
    }
    return ENTERED;
  }

  public void exit(int entered) {
    if (entered == ENTERED) {
      STATE.setRelease(this, state + APPLICATION);
    }
  }

  // ---- another thread ----

  /** Returns the present run of the application's code; 0 while the server's code runs. */
  public int run() {
    int seen = (int) STATE.getVolatile(this);
    return (seen & KIND) == APPLICATION ? seen : 0;
  }

  /** Returns a value that differs after each run of the application's code. */
  public int count() {
    return (int) STATE.getVolatile(this) & ~KIND;
  }

  /**
   * Takes the loop from its thread, unless the run of the application's code is over. {@link #keep}
   * or {@link #giveBack} must follow soon, because its thread may wait for the decision.
   */
  public boolean take(int run) {
    return STATE.compareAndSet(this, run, run - APPLICATION + TAKING);
  }

  /** Decides that the caller runs the loop from now on. */
  public void keep(int run) {
    runner = Thread.currentThread();
    carry(null);
    STATE.setRelease(this, (run & ~KIND) + ONE_RUN);
  }

  /** Decides that the loop keeps its thread. */
  public void giveBack(int run) {
    STATE.setRelease(this, run);
  }
}
