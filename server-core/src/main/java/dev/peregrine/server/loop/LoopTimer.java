package dev.peregrine.server.loop;

import org.jspecify.annotations.Nullable;

/**
 * Work that an event loop does once at a time that can be set again and again. Starting a timer
 * allocates nothing and cannot fail, so that repeated work continues after any failure. Belongs to
 * the loop's thread.
 */
public final class LoopTimer {
  final Runnable work;
  private final TimerHeap timers;

  // Kept by TimerHeap.
  long dueNanos;
  boolean started;
  long order; // among timers of the same time
  @Nullable LoopTimer child; // the first one of those that come later
  @Nullable LoopTimer next; // with the same parent
  @Nullable LoopTimer before; // the sibling before this one, or the parent

  LoopTimer(TimerHeap timers, Runnable work) {
    this.timers = timers;
    this.work = work;
  }

  /** Does the work once after a delay, and not at the time that was set before. */
  public void start(long delayNanos) {
    timers.remove(this);
    dueNanos = timers.now() + delayNanos;
    timers.add(this);
  }

  /** The work is not done before the timer is started again. */
  public void cancel() {
    timers.remove(this);
  }
}
