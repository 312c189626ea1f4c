package dev.peregrine.server.memory;

import java.lang.ref.WeakReference;

/**
 * Notices that garbage collections leave little of the heap free. Loads nothing for it: a weakly
 * reachable object that is gone shows that the heap was collected since the last look, and what is
 * free soon after that is what the collector has found. Beans of the JVM would load hundreds of
 * classes. Used by one thread.
 */
public final class HeapWatch {
  // Arbitrary. Below that, collectors take more and more of the processor's time.
  private static final int FREE_PART = 16;

  // In a row: the young part of the heap may be full again when it is looked at.
  private static final int LOOKS = 3;

  private final Runtime runtime = Runtime.getRuntime();
  private WeakReference<Object> sentinel = new WeakReference<>(new Object());
  private int looks;

  /** Returns true if the heap is full; to be called a few times in a second. */
  public boolean isFull() {
    if (sentinel.get() != null) {
      return false; // not collected since the last look
    }
    try {
      return look();
    } catch (OutOfMemoryError full) {
      return true;
    }
  }

  private boolean look() {
    long max = runtime.maxMemory();
    long free = max - runtime.totalMemory() + runtime.freeMemory();
    looks = free < max / FREE_PART ? looks + 1 : 0;
    if (looks >= LOOKS) {
      return true; // the next look doesn't wait for another collection
    }
    sentinel = new WeakReference<>(new Object());
    return false;
  }
}
