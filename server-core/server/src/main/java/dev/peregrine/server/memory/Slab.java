package dev.peregrine.server.memory;

import dev.peregrine.server.config.MemorySource;
import java.lang.foreign.MemorySegment;

/**
 * Memory that is taken from the system at once and given out in runs of power-of-two sizes: a buddy
 * system. Not thread-safe.
 */
final class Slab {
  private final MemorySegment memory;
  private final int minShift;
  private final int orders;

  // A binary tree of runs: node 1 is the whole slab, 2n and 2n+1 are the halves of n. An entry is
  // the largest order that is free in the node, plus 1; 0 means none. An order is the logarithm of
  // a run's size in units of the smallest run.
  private final byte[] free;

  private final SlabGuard guard;

  /**
   * Takes memory from a source.
   *
   * @param sizeShift the logarithm of its size in bytes
   * @param minShift the logarithm of the smallest run's size
   * @param pool the state of the pool that takes it
   * @throws OutOfMemoryError if the source has no memory left
   */
  Slab(MemorySource source, int sizeShift, int minShift, SlabGuard.PoolState pool) {
    this.minShift = minShift;
    this.orders = sizeShift - minShift;
    this.free = new byte[2 << orders];
    for (int node = 1, order = orders; order >= 0; order--) {
      for (int end = node << 1; node < end; node++) {
        free[node] = (byte) (order + 1);
      }
    }
    MemorySource.Region taken = DirectMemory.takeFrom(source, 1 << sizeShift);
    this.memory = taken.memory();
    this.guard = SlabGuard.watch(this, pool, taken.owner());
  }

  /** Returns true if a run of that order can be taken. */
  boolean hasRoom(int order) {
    return free[1] > order;
  }

  boolean isFull() {
    return free[1] == 0;
  }

  boolean isEmpty() {
    return free[1] == orders + 1;
  }

  /** Takes a run for which there is room, and returns its offset in bytes. */
  int take(int order) {
    int node = 1;
    for (int at = orders; at > order; at--) {
      node <<= 1;
      if (free[node] <= order) {
        node++;
      }
    }
    free[node] = 0;
    update(node, order);
    guard.runs++;
    return (node - (1 << (orders - order))) << (order + minShift);
  }

  /** Takes a run back. */
  void giveBack(int offset, int order) {
    int node = (1 << (orders - order)) + (offset >> (order + minShift));
    assert free[node] == 0 : "a run is given back twice";
    free[node] = (byte) (order + 1);
    update(node, order);
    guard.runs--;
  }

  private void update(int changed, int order) {
    int node = changed;
    for (int whole = order + 1; node > 1; whole++) {
      int one = free[node];
      int other = free[node ^ 1];
      node >>= 1;
      free[node] = (byte) (one == whole && other == whole ? whole + 1 : Math.max(one, other));
    }
  }

  /** Returns the memory of a run that was taken. */
  MemorySegment run(int offset, int order) {
    return memory.asSlice(offset, 1L << (order + minShift));
  }

  int bytes() {
    return (int) memory.byteSize();
  }

  /** Returns the memory to its source. No run of it may be used from now on. */
  void close() {
    guard.close();
  }
}
