package dev.peregrine.server.loop;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The started timers of one event loop, ordered by time: a pairing heap whose links lie in the
 * timers. Starting a timer takes constant time and allocates nothing; removing one takes
 * logarithmic time, amortized. So every exchange may have its own timers.
 */
@SuppressWarnings("ReferenceEquality") // timers are compared by identity
final class TimerHeap {
  private final LongSupplier clock;
  private @Nullable LoopTimer first;
  private long added;

  TimerHeap(LongSupplier clock) {
    this.clock = clock;
  }

  /** Returns the time of the clock that timers use. */
  long now() {
    return clock.getAsLong();
  }

  /** Returns the timer that is due first; null if none is started. */
  @Nullable LoopTimer first() {
    return first;
  }

  /** Adds a timer that is not started, after those of the same time. */
  void add(LoopTimer timer) {
    timer.order = added++;
    timer.started = true;
    first = first == null ? timer : meld(first, timer);
  }

  /** Removes a timer, if it is started. */
  void remove(LoopTimer timer) {
    if (!timer.started) {
      return;
    }
    timer.started = false;
    LoopTimer later = meldAll(timer.child);
    timer.child = null;
    if (timer == first) {
      first = later;
      return;
    }
    detach(timer);
    if (later != null && first != null) {
      first = meld(first, later);
    }
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

  /** Takes a timer that is not the first out of its parent's children. */
  private static void detach(LoopTimer timer) {
    LoopTimer before = timer.before;
    LoopTimer after = timer.next;
    if (before != null && before.child == timer) {
      before.child = after;
    } else if (before != null) {
      before.next = after;
    }
    if (after != null) {
      after.before = before;
    }
    timer.before = null;
    timer.next = null;
  }

  /** Makes the later one of two roots the first child of the other, which is returned. */
  private static LoopTimer meld(LoopTimer one, LoopTimer other) {
    boolean ordered = isBefore(one, other);
    LoopTimer parent = ordered ? one : other;
    LoopTimer child = ordered ? other : one;
    LoopTimer sibling = parent.child;
    child.before = parent;
    child.next = sibling;
    if (sibling != null) {
      sibling.before = child;
    }
    parent.child = child;
    parent.before = null;
    parent.next = null;
    return parent;
  }

  private static boolean isBefore(LoopTimer one, LoopTimer other) {
    long difference = one.dueNanos - other.dueNanos;
    return difference < 0 || (difference == 0 && one.order - other.order < 0);
  }

  /** Melds siblings into one root: first in pairs, then the pairs from the last one on. */
  private static @Nullable LoopTimer meldAll(@Nullable LoopTimer siblings) {
    LoopTimer pairs = null; // the last pair first
    LoopTimer at = siblings;
    while (at != null) {
      LoopTimer second = at.next;
      LoopTimer rest = second == null ? null : second.next;
      LoopTimer pair = second == null ? alone(at) : meld(at, second);
      pair.next = pairs;
      pairs = pair;
      at = rest;
    }
    LoopTimer root = null;
    while (pairs != null) {
      LoopTimer rest = pairs.next;
      root = root == null ? alone(pairs) : meld(root, pairs);
      pairs = rest;
    }
    return root;
  }

  private static LoopTimer alone(LoopTimer timer) {
    timer.before = null;
    timer.next = null;
    return timer;
  }
}
