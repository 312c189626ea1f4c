package dev.peregrine.bench.technique;

import dev.peregrine.base.LoopCounters;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/**
 * Adds 1 to counters, one after the other, with increasing guarantees about what other threads see;
 * per counter.
 */
public class StoreOrderBenchmark extends Technique {
  private static final int COUNTERS = 256;
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  private final int[] order = new int[COUNTERS]; // mixed, so that no form becomes vectors
  private final long[] cells = new long[COUNTERS];
  private final LoopCounters counters = new LoopCounters(COUNTERS);

  /** Checks that all forms count. */
  @Setup
  public void setUp() {
    Random random = new Random(1);
    for (int i = 0; i < COUNTERS; i++) {
      int place = random.nextInt(i + 1);
      order[i] = order[place];
      order[place] = i;
    }
    for (int round = 0; round < 2; round++) {
      long before = loadsOnly();
      checkEqual(before + 1, plain(), opaque() - 1, sequential() - 2, atomicAdd() - 3);
      checkEqual(before + 4, loadsOnly());
      checkEqual(round + 1, loopCounters());
    }
    for (long cell : cells) {
      checkEqual(loadsOnly(), cell);
    }
  }

  /** The same loop without a store. */
  @Benchmark
  @OperationsPerInvocation(COUNTERS)
  public long loadsOnly() {
    long last = 0;
    for (int i : order) {
      last |= cells[i];
    }
    return last;
  }

  /** Other threads see it at some time, or never. */
  @Benchmark
  @OperationsPerInvocation(COUNTERS)
  public long plain() {
    long last = 0;
    for (int i : order) {
      last = cells[i] + 1;
      cells[i] = last;
    }
    return last;
  }

  /** Other threads see it at some time. */
  @Benchmark
  @OperationsPerInvocation(COUNTERS)
  public long opaque() {
    long last = 0;
    for (int i : order) {
      last = cells[i] + 1;
      CELL.setOpaque(cells, i, last);
    }
    return last;
  }

  /** Other threads see it after all earlier stores: the server's counters. */
  @Benchmark
  @OperationsPerInvocation(COUNTERS)
  public long loopCounters() {
    for (int i : order) {
      counters.add(i, 1);
    }
    return counters.get(0);
  }

  /** Other threads see it before any later load: volatile. */
  @Benchmark
  @OperationsPerInvocation(COUNTERS)
  public long sequential() {
    long last = 0;
    for (int i : order) {
      last = cells[i] + 1;
      CELL.setVolatile(cells, i, last);
    }
    return last;
  }

  /** Adds atomically, as counters of several writers must. */
  @Benchmark
  @OperationsPerInvocation(COUNTERS)
  public long atomicAdd() {
    long last = 0;
    for (int i : order) {
      last = (long) CELL.getAndAdd(cells, i, 1L) + 1;
    }
    return last;
  }
}
