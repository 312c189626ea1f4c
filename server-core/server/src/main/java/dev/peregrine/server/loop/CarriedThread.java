package dev.peregrine.server.loop;

import dev.peregrine.base.FailureLog;
import dev.peregrine.base.FieldHandle;
import dev.peregrine.base.Incident;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A virtual thread that its owner runs, step by step: on whichever platform thread it calls {@link
 * #resume}, until the thread parks or ends. Also the thread's scheduler, so that to resume it
 * allocates nothing, and what the thread runs.
 *
 * <pre>
 *            claim              the thread parks, settle
 *   RUNNABLE ─────▶ MOUNTED ─────────────────────────────▶ PARKED
 *      ▲               │ unparked                             │
 *      │               ▼              settle                  │ unparked
 *      │            UNPARKED ───────────┐                     │
 *      └────────────────────────────────┴─────────────────────┘
 * </pre>
 *
 * <p>When it becomes RUNNABLE, its {@link Step} is submitted to the owner. If that can't be run
 * soon, another thread may run the step instead: {@link #runElsewhere}. The number in the state
 * tells steps that were overtaken like that from the one that is next.
 */
public abstract class CarriedThread implements Executor, Runnable {
  private static final FailureLog FAILURES = new FailureLog();
  private static final VarHandle STATE = FieldHandle.of(MethodHandles.lookup(), "state", int.class);

  // The low bits of the state; the others are the number of the next step.
  private static final int MOUNTED = 0; // first: a volatile store in the constructor costs a fence
  private static final int RUNNABLE = 1;
  private static final int PARKED = 2;
  private static final int UNPARKED = 3; // before it was parked
  private static final int ENDED = 4;
  private static final int KIND = 7;
  private static final int ONE_STEP = 8;

  private final Thread thread;
  private @Nullable Runnable continuation; // runs the thread until it parks or ends
  private boolean ended;
  private @Nullable Step next; // what is submitted, once
  private boolean watched; // by the loop's relief

  @SuppressWarnings("UnusedVariable") // accessed by STATE
  private volatile int state;

  /** Creates the thread; {@link #start} must follow. */
  @SuppressWarnings("this-escape") // the scheduler is used when the thread is started
  protected CarriedThread(String name) {
    thread = CarriedThreads.create(this, name, this);
  }

  /** Runs on the thread. */
  @Override
  public final void run() {
    try {
      work();
    } finally {
      ended = true;
    }
  }

  /** Does the work of the thread, on it. */
  protected abstract void work();

  /** Creates the step with a number; on any thread. */
  protected abstract Step step(int number);

  public Thread thread() {
    return thread;
  }

  /** Returns a code that costs nothing, as that of the JVM would; equality is identity. */
  @Override
  public final int hashCode() {
    return Long.hashCode(thread.threadId());
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return this == other;
  }

  /** Makes the thread ready for its first {@link #resume}. */
  protected void start() {
    prepare();
    thread.start(); // calls execute
  }

  void prepare() {
    next = step(0);
  }

  /** Starts the thread with a step that is submitted, like all later ones; on any thread. */
  public void submit() {
    start();
    makeRunnable();
    settle();
  }

  /** Returns true if the work has ended; after a step. */
  protected boolean isEnded() {
    return ended;
  }

  /**
   * Runs the thread until it parks or ends; on a platform thread. {@link #settle} must follow.
   * Never throws, because the caller must get its loop back: the JDK may lack the memory for a
   * timer after the thread has parked.
   */
  @SuppressWarnings("NullAway") // set by start
  protected void resume() {
    try {
      continuation.run();
    } catch (Throwable failure) {
      FAILURES.add(Incident.STEP_FAILED.toString(), failure);
    }
  }

  /** Ends a step. The next one is submitted when the thread can continue, or now at its end. */
  protected void settle() {
    Step following = next; // read first: it is another thread's as soon as the state says so
    int mounted = ((int) STATE.getOpaque(this) & ~KIND) | MOUNTED;
    if (ended) {
      STATE.setRelease(this, mounted - MOUNTED + ENDED);
      submit(following);
      return;
    }
    if (!STATE.compareAndSet(this, mounted, mounted - MOUNTED + PARKED)) {
      STATE.setRelease(this, mounted - MOUNTED + RUNNABLE);
      submit(following);
    }
  }

  private static void submit(@Nullable Step step) {
    if (step != null) {
      step.submit();
    }
  }

  /**
   * Lets other threads run the steps of this one while its loop can't; before {@link #settle}.
   *
   * @param parked the threads of the loop whose tasks the steps are
   */
  protected void watch(ParkedThreads parked) {
    if (!watched && !ended) {
      try {
        parked.add(this);
        watched = true;
      } catch (Throwable noMemory) {
        // Tried again after the next step.
      }
    }
  }

  /** Has the loop forget the thread, which has ended. */
  protected void forget(ParkedThreads parked) {
    parked.remove(this);
  }

  /** Returns true if a step is next and the caller must run it. */
  protected boolean claim(int number) {
    return STATE.compareAndSet(this, number * ONE_STEP + RUNNABLE, number * ONE_STEP + MOUNTED);
  }

  /** Returns true if a step is next and the work has ended. */
  protected boolean isOver(int number) {
    return (int) STATE.getAcquire(this) == number * ONE_STEP + ENDED;
  }

  /** Returns true if the thread waits for its next step to be run. */
  boolean isRunnable() {
    return ((int) STATE.getAcquire(this) & KIND) == RUNNABLE;
  }

  /** Runs the next step if one waits, in place of the one that was submitted. */
  void runElsewhere() {
    int seen = (int) STATE.getAcquire(this);
    if ((seen & KIND) != RUNNABLE) {
      return;
    }
    Step following = step(seen / ONE_STEP + 1);
    if (STATE.compareAndSet(this, seen, seen - RUNNABLE + ONE_STEP + MOUNTED)) {
      next = following;
      resume();
      settle();
    }
  }

  /**
   * Called by the JDK when the thread can run, on any thread, and once more if the stack of a
   * thread that waits to be run was read meanwhile. Allocates nothing.
   */
  @Override
  @SuppressWarnings("ReferenceEquality") // a continuation is recognised by identity
  public final void execute(Runnable runnable) {
    if (continuation == null) {
      continuation = runnable;
    } else if (continuation != runnable || ended) {
      // a virtual thread that this one has created, or what the JDK does at its end
      CarriedThreads.defaultScheduler().execute(runnable);
    } else {
      makeRunnable();
    }
  }

  /** Submits the next step if the thread is parked; if it is mounted, {@link #settle} will. */
  private void makeRunnable() {
    boolean known = false;
    while (!known) {
      int seen = (int) STATE.getAcquire(this);
      int kind = seen & KIND;
      if (kind == MOUNTED) {
        known = STATE.compareAndSet(this, seen, seen - MOUNTED + UNPARKED);
      } else if (kind == PARKED) {
        Step following = next; // read first, as in settle
        known = STATE.compareAndSet(this, seen, seen - PARKED + RUNNABLE);
        if (known) {
          submit(following);
        }
      } else {
        known = true; // a step that was submitted twice would break the list of tasks
      }
    }
  }

  /** A step of the thread. */
  public interface Step {
    /** Has the step run, unless another thread runs it first; on any thread. Allocates nothing. */
    void submit();
  }
}
