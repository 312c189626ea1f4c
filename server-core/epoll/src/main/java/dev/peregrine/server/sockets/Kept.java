package dev.peregrine.server.sockets;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** A few objects that calls borrow in place of new ones. Thread-safe. */
final class Kept<T> {
  private static final int MAX = 16; // a power of two

  private final AtomicReferenceArray<@Nullable T> slots = new AtomicReferenceArray<>(MAX);

  /** Returns a kept object, which no other thread gets before it is given back; or null. */
  @Nullable T take() {
    return slots.getAndSet(slot(), null);
  }

  void give(T borrowed) {
    slots.set(slot(), borrowed);
  }

  private static int slot() {
    return (int) Thread.currentThread().threadId() & (MAX - 1);
  }
}
