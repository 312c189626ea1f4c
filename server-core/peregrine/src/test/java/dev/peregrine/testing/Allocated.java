package dev.peregrine.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** The bytes that threads have allocated on the heap. */
public final class Allocated {
  private Allocated() {}

  /** Returns the bytes that a thread has allocated since it was started. */
  public static long by(Thread thread) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(thread.threadId());
  }
}
