package dev.peregrine.server.sockets;

import dev.peregrine.base.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Whether one direction of a socket may be ready, and the thread that waits for that: one at a
 * time, which has a lock for it.
 *
 * <pre>
 *             await                ready
 *   EMPTY ──────────▶ a Thread ────────────────▶ READY ──clear, before each call──▶ EMPTY
 *     │                 │  │
 *     │                 │  └──release──────────▶ EMPTY
 *     └──ready──▶ READY └──close───────────────▶ CLOSED, from each state and for ever
 * </pre>
 *
 * <p>A thread that waits is the state. Whoever takes it out unparks it; all others do nothing. To
 * be released says nothing: the thread looks at its clock, tries its call and waits again. So
 * whoever isn't sure releases it, such as a timer, or a loop that ends.
 */
@SuppressWarnings("ReferenceEquality") // marks and threads are compared by identity
final class Readiness {
  private static final VarHandle STATE =
      FieldHandle.of(MethodHandles.lookup(), "state", Object.class);

  private static final Object EMPTY = "empty";
  private static final Object READY = "ready";
  private static final Object CLOSED = "closed";

  /** No bound of a wait. */
  static final long FOREVER = 0;

  private volatile Object state = EMPTY;
  private long deadlineNanos; // of the thread that waits; written before the state

  // ---- the thread ----

  /** Returns the time of {@link System#nanoTime} at which a wait ends; 0 has no bound. */
  static long deadline(int millis) {
    if (millis == 0) {
      return FOREVER;
    }
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    return deadline == FOREVER ? 1 : deadline;
  }

  /** Forgets readiness, before the call that finds out. */
  void clear() {
    if (state == READY) {
      STATE.compareAndSet(this, READY, EMPTY);
    }
  }

  /**
   * Begins a wait. Returns false if the call is to be tried again instead. The caller then parks as
   * long as {@link #isAwaitedBy}.
   *
   * @param deadline in nanoseconds, or {@link #FOREVER}
   */
  boolean await(Thread thread, long deadline) {
    deadlineNanos = deadline;
    return STATE.compareAndSet(this, EMPTY, thread);
  }

  boolean isAwaitedBy(Thread thread) {
    return state == thread;
  }

  /** Ends a wait from within. */
  void giveUp(Thread thread) {
    STATE.compareAndSet(this, thread, EMPTY);
  }

  boolean isClosed() {
    return state == CLOSED;
  }

  // ---- other threads ----

  /** Returns the end of the present wait; {@link #FOREVER} without a wait or a bound. */
  long awaitedUntil() {
    return state instanceof Thread ? deadlineNanos : FOREVER;
  }

  /** The direction may be ready. */
  void ready() {
    Object seen = state;
    while (seen != READY && seen != CLOSED) {
      if (STATE.compareAndSet(this, seen, READY)) {
        unpark(seen);
        return;
      }
      seen = state;
    }
  }

  /** Returns true if a thread waits. */
  boolean isAwaited() {
    return state instanceof Thread;
  }

  /** Has the thread that waits, if any, look again. */
  void release() {
    Object seen = state;
    if (seen instanceof Thread && STATE.compareAndSet(this, seen, EMPTY)) {
      unpark(seen);
    }
  }

  /** Ends the present wait and all later ones. */
  void close() {
    unpark(STATE.getAndSet(this, CLOSED));
  }

  private static void unpark(Object seen) {
    if (seen instanceof Thread thread) {
      LockSupport.unpark(thread);
    }
  }
}
