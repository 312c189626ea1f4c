package dev.peregrine.parser;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** The bytes that code allocates on the heap. */
public final class Allocations {
  private static final int ROUNDS = 40;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocations() {}

  /**
   * Returns the least number of bytes that one of many runs allocated, which excludes class loading
   * and the like.
   */
  public static long least(Runnable run) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      least = Math.min(least, by(run));
    }
    return least;
  }

  /** Returns the number of bytes that a run allocates on this thread. */
  public static long by(Runnable run) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    run.run();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
