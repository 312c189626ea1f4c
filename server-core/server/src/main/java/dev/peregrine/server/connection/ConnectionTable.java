package dev.peregrine.server.connection;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The open connections of a loop. Used by its thread only, unless a method says otherwise. */
final class ConnectionTable<C extends ConnectionTable.Entry> {
  private static final int SLOTS_INITIAL = 64;

  private @Nullable Entry[] slots = new Entry[SLOTS_INITIAL];
  private volatile int size;

  /** A connection, which knows its slot, so that it is removed without a search. */
  abstract static class Entry {
    private int slot;

    /** Returns the index of the connection; it changes when others are removed. */
    final int slot() {
      return slot;
    }
  }

  /** Returns the number of open connections; callable from any thread. */
  int size() {
    return size;
  }

  /** Returns the connection in a slot, 0 to {@link #size} - 1. */
  @SuppressWarnings("unchecked") // only these are added
  C get(int slot) {
    return (C) Objects.requireNonNull(slots[slot]);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // written by the loop's thread only
  void add(C connection) {
    Entry added = connection;
    if (size == slots.length) {
      slots = Arrays.copyOf(slots, size + size / 2);
    }
    added.slot = size;
    slots[size] = added;
    size++;
  }

  /** Removes a connection that was added; the last one takes its slot. */
  void remove(Entry connection) {
    int last = size - 1;
    Entry moved = Objects.requireNonNull(slots[last]);
    slots[connection.slot] = moved;
    moved.slot = connection.slot;
    slots[last] = null;
    size = last;
  }
}
