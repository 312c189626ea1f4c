package dev.peregrine.bench.technique;

import dev.peregrine.base.LoopCounters;
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
@Threads(FalseSharingBenchmark.THREADS)
public class FalseSharingBenchmark extends Technique {
  static final int THREADS = 2;
  private static final VarHandle COUNTER = ValueLayout.JAVA_LONG.varHandle();

  /** Where the counters lie. */
  public enum Place {
    /** Side by side in one cache line of 64 bytes. */
    BYTES_8,
    /** In two lines that follow each other, and that processors may load together. */
    BYTES_64,
    BYTES_128,
    /** The server's counters of two loops, created one after the other. */
    LOOP_COUNTERS
  }

  @Param Place form;

  private long at;
  private LoopCounters counters;

  /** The memory of both counters. */
  @State(Scope.Benchmark)
  public static class Shared {
    final MemorySegment memory = Arena.ofAuto().allocate(1024, 256);
    final LoopCounters[] counters = {new LoopCounters(1), new LoopCounters(1)};
  }

  /** Gives each thread its counter, and checks that it counts. */
  @Setup
  public void setUp(Shared shared, ThreadParams thread) {
    int index = thread.getThreadIndex() % THREADS;
    counters = shared.counters[index];
    at =
        switch (form) {
          case BYTES_8 -> 8L * index;
          case BYTES_64 -> 64L * index;
          case BYTES_128, LOOP_COUNTERS -> 128L * index;
        };
    long before = count(shared);
    checkEqual(before + 1, count(shared), count(shared) - 1);
  }

  /** Adds 1 by a load and an ordered store. */
  @Benchmark
  public long count(Shared shared) {
    if (form == Place.LOOP_COUNTERS) {
      counters.add(0, 1);
      return counters.get(0);
    }
    long count = (long) COUNTER.get(shared.memory, at) + 1;
    COUNTER.setRelease(shared.memory, at, count);
    return count;
  }
}
