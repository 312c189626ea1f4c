package dev.peregrine.parser;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** The bytes that code allocates on the heap. */
public final class Allocations {
  private static final int ROUNDS = 40;

  private Allocations() {}

  /**
   * Returns the least number of bytes that one of many runs allocated, which excludes class loading
   * and the like.
   */
  public static long least(Runnable run) {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      run.run();
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }
}
