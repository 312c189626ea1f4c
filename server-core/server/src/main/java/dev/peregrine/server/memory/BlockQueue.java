package dev.peregrine.server.memory;

import org.jspecify.annotations.Nullable;

/**
 * Blocks in the order in which they were added. They are linked by themselves, so that no call
 * allocates: a block can't be lost because the heap is full. A block is in one queue at most, and
 * leaves it before it is released.
 */
public final class BlockQueue {
  private @Nullable Block first;
  private @Nullable Block last;

  /** Creates an empty queue. */
  public BlockQueue() {}

  public boolean isEmpty() {
    return first == null;
  }

  /** Returns true if there is one block. */
  @SuppressWarnings("ReferenceEquality") // blocks are compared by identity
  public boolean hasOne() {
    return first != null && first == last;
  }

  /** Returns the first block; null if there is none. */
  public @Nullable Block peek() {
    return first;
  }

  /** Returns the last block; null if there is none. */
  public @Nullable Block peekLast() {
    return last;
  }

  /** Adds a block at the end. */
  public void add(Block block) {
    if (last == null) {
      first = block;
    } else {
      last.nextFree = block;
    }
    last = block;
  }

  /** Removes the first block and returns it; null if there is none. */
  public @Nullable Block poll() {
    Block removed = first;
    if (removed != null) {
      first = removed.nextFree;
      removed.nextFree = null;
      if (first == null) {
        last = null;
      }
    }
    return removed;
  }
}
