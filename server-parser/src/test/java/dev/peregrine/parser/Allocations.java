package dev.peregrine.parser;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** The bytes that code allocates on the heap. */
public final class Allocations {
  private static final int ROUNDS = 40;

  /** The bound only ends a test that would hang. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

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

  /**
   * Runs code with vectors until a run allocates nothing: they are objects until that code is
   * compiled, which takes as long as the machine's other work lets it. Returns the bytes of the
   * last run.
   */
  public static long whenCompiled(Runnable run) {
    long start = System.nanoTime();
    long bytes;
    do {
      bytes = by(run);
    } while (bytes != 0 && System.nanoTime() - start < PATIENCE_NANOS);
    return bytes;
  }

  /** Returns the number of bytes that a run allocates on this thread. */
  public static long by(Runnable run) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    run.run();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
