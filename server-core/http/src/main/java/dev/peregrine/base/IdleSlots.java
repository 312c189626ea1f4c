package dev.peregrine.base;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of objects that wait for their next use. Neither locks nor allocates. Thread-safe.
 */
public final class IdleSlots<T> {
  private final AtomicReferenceArray<@Nullable T> slots;

  public IdleSlots(int count) {
    slots = new AtomicReferenceArray<>(count);
  }

  /** Removes an object. Returns null if there is none. */
  public @Nullable T poll() {
    for (int i = 0; i < slots.length(); i++) {
      T found = slots.getPlain(i) == null ? null : slots.getAndSet(i, null);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Adds an object. Returns false if no slot is free. */
  public boolean offer(T idle) {
    for (int i = 0; i < slots.length(); i++) {
      if (slots.getPlain(i) == null && slots.compareAndSet(i, null, idle)) {
        return true;
      }
    }
    return false;
  }
}
