package dev.peregrine.server.loop;

import org.jspecify.annotations.Nullable;

/**
 * Work that an event loop does once, at a time that can be set again and again. Starting a timer
 * allocates nothing and cannot fail, so that repeated work continues after any failure. Belongs to
 * the loop's thread.
 */
public final class LoopTimer {
  final Runnable work;
  private final TimerHeap timers;

  // The fields of TimerHeap.
  long dueNanos;
  boolean started;
  long order; // among timers of the same time
  @Nullable LoopTimer child; // the first of the later timers
  @Nullable LoopTimer next; // with the same parent
  @Nullable LoopTimer before; // the sibling before this one, or the parent

  LoopTimer(TimerHeap timers, Runnable work) {
    this.timers = timers;
    this.work = work;
  }

  /** Schedules the work after a delay, in place of the time that was set before. */
  public void start(long delayNanos) {
    timers.remove(this);
    dueNanos = timers.now() + delayNanos;
    timers.add(this);
  }

  /** Cancels the work, until the timer is started again. */
  public void cancel() {
    timers.remove(this);
  }
}
