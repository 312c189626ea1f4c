package dev.peregrine.server.loop;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The timers of one event loop that are started, in the order of their times. A loop has a handful
 * of them, because a sweep checks the deadlines of connections: so a linked list is enough, and
 * nothing is allocated.
 */
@SuppressWarnings("ReferenceEquality") // timers are compared by identity
final class TimerList {
  private final LongSupplier clock;
  private @Nullable LoopTimer first;

  TimerList(LongSupplier clock) {
    this.clock = clock;
  }

  /** The time that timers are set by. */
  long now() {
    return clock.getAsLong();
  }

  /** Returns the timer that is due first; null if none is started. */
  @Nullable LoopTimer first() {
    return first;
  }

  /** Adds a timer that is not started, after those of the same time. */
  void add(LoopTimer timer) {
    LoopTimer before = null;
    LoopTimer after = first;
    while (after != null && after.dueNanos - timer.dueNanos <= 0) {
      before = after;
      after = after.next;
    }
    timer.next = after;
    timer.started = true;
    link(before, timer);
  }

  /** Removes a timer, if it is started. */
  void remove(LoopTimer timer) {
    if (!timer.started) {
      return;
    }
    LoopTimer before = null;
    for (LoopTimer at = first; at != null && at != timer; at = at.next) {
      before = at;
    }
    link(before, timer.next);
    timer.next = null;
    timer.started = false;
  }

  /** Removes and returns the first timer, if it is due. */
  @Nullable LoopTimer pollDue(long nowNanos) {
    LoopTimer timer = first;
    if (timer == null || timer.dueNanos - nowNanos > 0) {
      return null;
    }
    remove(timer);
    return timer;
  }

  private void link(@Nullable LoopTimer before, @Nullable LoopTimer after) {
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
  }
}
