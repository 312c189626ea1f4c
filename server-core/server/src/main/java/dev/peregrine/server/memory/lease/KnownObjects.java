package dev.peregrine.server.memory.lease;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Objects of which something is known that would cost garbage to find out again. A cache by
 * identity, which keeps no object alive: of those whose hash codes have the same low bits, it knows
 * the last few. Not thread-safe.
 */
final class KnownObjects<T> {
  private static final int SLOTS = 512; // arbitrary: 2 KiB
  private static final int WAYS = 8; // so that a pool of some hundred buffers fits

  private final List<@Nullable WeakReference<T>> slots =
      new ArrayList<>(Collections.nCopies(SLOTS, null));
  private int next; // which of the ways is replaced

  /** Returns true if the object was added, and not replaced since. */
  boolean contains(T object) {
    int first = firstSlot(object);
    for (int way = 0; way < WAYS; way++) {
      WeakReference<T> known = slots.get(first + way);
      if (known != null && known.refersTo(object)) {
        return true;
      }
    }
    return false;
  }

  void add(T object) {
    int first = firstSlot(object);
    int way = 0;
    while (way < WAYS && isTaken(first + way)) {
      way++;
    }
    if (way == WAYS) {
      way = next;
      next = (next + 1) % WAYS;
    }
    slots.set(first + way, new WeakReference<>(object));
  }

  private boolean isTaken(int slot) {
    WeakReference<T> known = slots.get(slot);
    return known != null && known.get() != null;
  }

  private static int firstSlot(Object object) {
    return System.identityHashCode(object) & (SLOTS - WAYS);
  }
}
