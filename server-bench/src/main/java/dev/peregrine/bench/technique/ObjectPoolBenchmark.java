package dev.peregrine.bench.technique;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

/** Takes many objects out of a pool and frees as many, on each of two threads. */
@Fork(jvmArgsPrepend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"}) // no page faults
@Threads(ObjectPoolBenchmark.THREADS)
public class ObjectPoolBenchmark extends Technique {
  static final int THREADS = 2;
  private static final int TAKEN = 3 * BatchPool.BATCH;

  /** The thread that frees an object. */
  public enum Freed {
    BY_SAME_THREAD,
    BY_OTHER_THREAD
  }

  /** Bytes of the array in each object, which are zero when it is taken. */
  @Param({"32", "1024", "4096"})
  int bytes;

  @Param Freed freed;

  private final ArrayDeque<Pooled[]> spares = new ArrayDeque<>();
  private int own; // the place for what this thread has taken
  private int other; // the place of what it frees
  private BatchPool batches;
  private HomePool home;

  /** The pools that the threads share, and what they pass to each other. */
  @State(Scope.Benchmark)
  public static class Shared {
    final LockedPool pool = new LockedPool();
    final BatchPool.Depot depot = new BatchPool.Depot();
    final AtomicReferenceArray<Pooled @Nullable []> passed = new AtomicReferenceArray<>(THREADS);
  }

  /** Checks that every form returns objects in their initial state, new and used ones. */
  @Setup
  public void setUp(Shared shared, ThreadParams thread) {
    batches = new BatchPool(shared.depot, bytes);
    home = new HomePool(bytes);
    Control control = new Control();
    Shared alone = new Shared();
    for (int round = 0; round < 3; round++) {
      checkEqual(
          0,
          fresh(alone, control),
          lockedPool(alone, control),
          batchPool(alone, control),
          homePool(alone, control));
    }
    own = thread.getThreadIndex() % THREADS;
    other = freed == Freed.BY_SAME_THREAD ? own : 1 - own;
  }

  /** Creates new objects each time. */
  @Benchmark
  @OperationsPerInvocation(TAKEN)
  public long fresh(Shared shared, Control control) {
    return use(shared, control, () -> new Pooled(bytes, null), object -> {});
  }

  /** One pool behind a lock. */
  @Benchmark
  @OperationsPerInvocation(TAKEN)
  public long lockedPool(Shared shared, Control control) {
    return use(shared, control, () -> shared.pool.take(bytes), shared.pool::give);
  }

  /** A pool for each thread; they exchange batches. */
  @Benchmark
  @OperationsPerInvocation(TAKEN)
  public long batchPool(Shared shared, Control control) {
    return use(shared, control, batches::take, batches::give);
  }

  /** The server's way: a pool for each thread, to which its objects return. */
  @Benchmark
  @OperationsPerInvocation(TAKEN)
  public long homePool(Shared shared, Control control) {
    return use(shared, control, home::take, home::give);
  }

  /** Returns the state that the last users left in the objects, which must be none. */
  private long use(
      Shared shared, Control control, Supplier<Pooled> pool, Consumer<Pooled> freeing) {
    Pooled[] taken = spares.isEmpty() ? new Pooled[TAKEN] : spares.pop();
    long left = 0;
    for (int i = 0; i < TAKEN; i++) {
      Pooled object = pool.get();
      left += object.id + object.memory[0];
      object.id = i;
      object.memory[0] = 1;
      taken[i] = object;
    }
    while (!shared.passed.compareAndSet(own, null, taken)) { // the other thread is behind
      if (control.stopMeasurement) {
        spares.push(taken);
        return left;
      }
      Thread.onSpinWait();
    }
    Pooled[] used = shared.passed.getAndSet(other, null);
    if (used != null) {
      for (Pooled object : used) {
        freeing.accept(object);
      }
      spares.push(used);
    }
    return left;
  }
}
