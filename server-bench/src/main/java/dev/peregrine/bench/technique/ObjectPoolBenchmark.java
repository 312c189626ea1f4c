package dev.peregrine.bench.technique;

import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/** Takes many objects out of a pool, then returns them; on two threads. */
@Threads(2)
public class ObjectPoolBenchmark extends Technique {
  private static final int TAKEN = 3 * BatchPool.BATCH;

  /** Bytes of the array in each object, which are zero when it is taken. */
  @Param({"32", "4096"})
  int bytes;

  private final Pooled[] taken = new Pooled[TAKEN];
  private BatchPool batches;

  /** The pools that the threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    final LockedPool pool = new LockedPool();
    final BatchPool.Depot depot = new BatchPool.Depot();
  }

  /** Checks that every form returns objects in their initial state. */
  @Setup
  public void setUp(Shared shared) {
    batches = new BatchPool(shared.depot, bytes);
    for (int round = 0; round < 2; round++) {
      check(fresh() == 0, "fresh");
      check(lockedPool(shared) == 0, "locked pool");
      check(batchPool() == 0, "batch pool");
    }
  }

  /** Creates new objects each time. */
  @Benchmark
  @OperationsPerInvocation(TAKEN)
  public long fresh() {
    return use(() -> new Pooled(bytes));
  }

  /** One pool behind a lock. */
  @Benchmark
  @OperationsPerInvocation(TAKEN)
  public long lockedPool(Shared shared) {
    long used = use(() -> shared.pool.take(bytes));
    for (Pooled object : taken) {
      shared.pool.give(object);
    }
    return used;
  }

  /** A pool for each thread; they exchange batches. */
  @Benchmark
  @OperationsPerInvocation(TAKEN)
  public long batchPool() {
    long used = use(batches::take);
    for (Pooled object : taken) {
      batches.give(object);
    }
    return used;
  }

  /** Returns the state that the last users left in the objects, which must be none. */
  private long use(Supplier<Pooled> pool) {
    long left = 0;
    for (int i = 0; i < TAKEN; i++) {
      Pooled object = pool.get();
      left += object.id + object.memory[0];
      object.id = i;
      object.memory[0] = 1;
      taken[i] = object;
    }
    return left;
  }
}
