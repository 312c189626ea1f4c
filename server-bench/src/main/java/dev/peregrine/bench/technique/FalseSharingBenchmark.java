package dev.peregrine.bench.technique;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.ThreadParams;

/** Two threads count, each in its own memory, at several distances from the other's. */
@Threads(2)
public class FalseSharingBenchmark extends Technique {
  private static final VarHandle COUNTER = ValueLayout.JAVA_LONG.varHandle();
  private static final int THREADS_MAX = 2;

  /** Bytes from one counter to the other; 64 are a cache line. */
  @Param({"8", "64", "128"})
  int distance;

  private long at;

  /** The memory of both counters. */
  @State(Scope.Benchmark)
  public static class Shared {
    final MemorySegment counters = Arena.ofAuto().allocate(1024, 256);
  }

  /** Gives each thread its counter, and checks that it counts. */
  @Setup
  public void setUp(Shared shared, ThreadParams thread) {
    at = (long) thread.getThreadIndex() % THREADS_MAX * distance;
    long before = stores(shared);
    check(stores(shared) == before + 1 && atomicAdds(shared) == before + 1, "count");
  }

  /** Counts by a load and an ordered store. */
  @Benchmark
  public long stores(Shared shared) {
    long count = (long) COUNTER.get(shared.counters, at) + 1;
    COUNTER.setRelease(shared.counters, at, count);
    return count;
  }

  /** Counts by an atomic addition. */
  @Benchmark
  public long atomicAdds(Shared shared) {
    return (long) COUNTER.getAndAdd(shared.counters, at, 1L);
  }
}
