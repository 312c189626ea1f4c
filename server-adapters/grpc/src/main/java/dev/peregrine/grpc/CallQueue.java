package dev.peregrine.grpc;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs the callbacks of one call in order, one at a time, on an executor. Any thread may add some.
 *
 * <pre>
 *           ┌──────────tryEnter─────────▶ RUNNING ──the last has returned──▶ IDLE
 *   IDLE ───┤                             │     ▲
 *           │                            add   the last one is taken
 *           │                             ▼     │
 *           └──────────add──────────────▶ WAITING
 * </pre>
 *
 * <p>A callback that finds IDLE and runs at once takes no lock.
 */
final class CallQueue implements Runnable {
  private static final int IDLE = 0;
  private static final int RUNNING = 1; // and no callback waits
  private static final int WAITING = 2; // for the one that runs, or for the executor

  private final Executor executor;
  private final AtomicInteger state = new AtomicInteger(IDLE);
  private @Nullable ArrayDeque<Runnable> waiting; // by the lock of this; most calls need none

  CallQueue(Executor executor) {
    this.executor = executor;
  }

  /** Adds a callback, which must not throw. */
  void add(Runnable callback) {
    synchronized (this) {
      if (waiting == null) {
        waiting = new ArrayDeque<>(4);
      }
      waiting.add(callback);
      if (state.getAndSet(WAITING) != IDLE) {
        return;
      }
    }
    boolean accepted = false;
    try {
      executor.execute(this);
      accepted = true;
    } finally {
      if (!accepted) {
        state.set(IDLE);
      }
    }
  }

  /** Begins to run callbacks on this thread. Returns false if others run or wait. */
  boolean tryEnter() {
    return state.compareAndSet(IDLE, RUNNING);
  }

  /** Runs what was added since {@link #tryEnter}, on this thread, and ends. */
  void exit() {
    run();
  }

  @Override
  public void run() {
    while (!state.compareAndSet(RUNNING, IDLE)) {
      Runnable next = next();
      if (next == null) { // the executor has run this twice
        return;
      }
      try {
        next.run();
      } catch (Throwable noMemory) { // to handle its failure; the end of the call must follow
        CallLog.lost(noMemory);
      }
    }
  }

  private synchronized @Nullable Runnable next() {
    if (waiting == null) {
      return null;
    }
    Runnable next = waiting.poll();
    if (next != null && waiting.isEmpty()) {
      state.set(RUNNING);
    }
    return next;
  }
}
