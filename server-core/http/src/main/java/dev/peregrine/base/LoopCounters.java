package dev.peregrine.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters that one thread writes and any thread reads. An update is a plain read and a release
 * store, without a lock or an atomic instruction. Unused memory on both sides keeps the counters of
 * two loops out of one cache line, see {@code FalseSharingBenchmark}.
 */
public final class LoopCounters {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int PADDING = 128 / Long.BYTES; // processors prefetch lines of 64 in pairs

  private final long[] cells;

  /** Creates counters that are all 0. */
  public LoopCounters(int size) {
    cells = new long[size + 2 * PADDING];
  }

  /** Adds to a counter; on the thread that writes it. */
  public void add(int index, long change) {
    int cell = PADDING + index;
    CELL.setRelease(cells, cell, cells[cell] + change);
  }

  /** Returns the value of a counter, and makes all that was written before it visible. */
  public long get(int index) {
    return (long) CELL.getAcquire(cells, PADDING + index);
  }
}
