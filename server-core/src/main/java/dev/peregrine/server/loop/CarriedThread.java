package dev.peregrine.server.loop;

import dev.peregrine.base.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A virtual thread that its owner runs, step by step: on whichever platform thread it calls {@link
 * #resume}, until the thread parks or ends. Also the thread's scheduler, so that to resume it
 * allocates nothing.
 *
 * <pre>
 *             resume            the thread parks
 *   RUNNABLE ────────▶ MOUNTED ───────────────────▶ PARKED
 *      ▲                  │ unparked before resume      │ unparked: onRunnable
 *      │                  │ has returned                ▼
 *      └──────────────────┴─────────────────────────────┘
 * </pre>
 */
public abstract class CarriedThread implements Executor {
  private static final VarHandle STATE = FieldHandle.of(MethodHandles.lookup(), "state", int.class);

  private static final int RUNNABLE = 0;
  private static final int MOUNTED = 1;
  private static final int PARKED = 2;

  private final Thread thread;
  private @Nullable Runnable step; // runs the thread until it parks or ends
  private boolean ended;

  @SuppressWarnings("UnusedVariable") // accessed by STATE
  private volatile int state = MOUNTED;

  /** Creates the thread; {@link #start} must follow. */
  @SuppressWarnings("this-escape") // the scheduler is used when the thread is started
  protected CarriedThread(String name) {
    thread = CarriedThreads.create(this, name, this::runToEnd);
  }

  private void runToEnd() {
    try {
      work();
    } finally {
      ended = true;
    }
  }

  /** Does the work of the thread, on it. */
  protected abstract void work();

  /** The thread, which had parked, can be resumed; on any thread. Allocates nothing. */
  protected abstract void onRunnable();

  public Thread thread() {
    return thread;
  }

  /** Makes the thread ready for its first {@link #resume}. */
  protected void start() {
    thread.start(); // calls execute
  }

  /** Returns true if the work has ended; after a step. */
  protected boolean isEnded() {
    return ended;
  }

  /** Runs the thread until it parks or ends; on a platform thread. {@link #park} must follow. */
  @SuppressWarnings("NullAway") // set by start
  protected void resume() {
    STATE.setOpaque(this, MOUNTED);
    step.run();
  }

  /** Lets the thread be parked after a step. Returns false if it can be resumed already. */
  protected boolean park() {
    return STATE.compareAndSet(this, MOUNTED, PARKED);
  }

  /** Called by the JDK when the thread can run, on any thread. */
  @Override
  @SuppressWarnings("ReferenceEquality") // a step is recognised by identity
  public final void execute(Runnable runnable) {
    if (step == null) {
      step = runnable;
    } else if (step != runnable || ended) {
      // a virtual thread that this one has created, or what the JDK does at its end
      CarriedThreads.defaultScheduler().execute(runnable);
    } else if (!STATE.compareAndSet(this, MOUNTED, RUNNABLE)) {
      STATE.setOpaque(this, RUNNABLE);
      onRunnable();
    }
  }
}
