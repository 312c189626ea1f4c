package dev.peregrine.testing;

/** The allocations of a server's threads at which the heap is full. Thread-safe. */
public final class FullHeapAt {
  private static volatile boolean planned;
  private static int before; // allocations until then; by the lock, as next
  private static int failures; // to come
  private static boolean failed;

  private FullHeapAt() {}

  /**
   * Has allocations fail.
   *
   * @param number of the first one; the next allocation is number 0
   * @param count how many fail, unless the plan ends before
   */
  public static synchronized void plan(int number, int count) {
    before = number;
    failures = count;
    failed = false;
    planned = true;
  }

  /** Ends the plan. Returns true if an allocation has failed. */
  public static synchronized boolean end() {
    planned = false;
    return failed;
  }

  /** Called before each allocation of the server's classes; see {@link FullHeapClasses}. */
  public static void beforeAllocation() {
    if (planned && isOfServer(Thread.currentThread())) {
      count();
    }
  }

  private static boolean isOfServer(Thread thread) {
    return thread.isVirtual() || thread.getName().contains("loop");
  }

  private static synchronized void count() {
    if (!planned) {
      return;
    }
    if (before > 0) {
      before--;
      return;
    }
    failures--;
    planned = failures > 0;
    failed = true;
    throw new OutOfMemoryError("intended");
  }
}
