package dev.peregrine.server.memory;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Objects of which something is known that would cost garbage to find out again. A cache by
 * identity, which keeps no object alive: two objects of one slot only miss each other. Not
 * thread-safe.
 */
final class KnownObjects<T> {
  private static final int SLOTS = 512; // arbitrary: 2 KiB

  private final List<@Nullable WeakReference<T>> slots =
      new ArrayList<>(Collections.nCopies(SLOTS, null));

  /** Returns true if the object was added, and no other one of its slot since. */
  boolean contains(T object) {
    WeakReference<T> known = slots.get(slot(object));
    return known != null && known.refersTo(object);
  }

  void add(T object) {
    slots.set(slot(object), new WeakReference<>(object));
  }

  private static int slot(Object object) {
    return System.identityHashCode(object) & (SLOTS - 1);
  }
}
