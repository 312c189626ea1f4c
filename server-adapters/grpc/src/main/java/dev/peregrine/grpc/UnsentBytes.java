package dev.peregrine.grpc;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of messages that wait because clients take no more of them, of all calls of a set of
 * services; and the bounds of that. Used on any thread.
 */
final class UnsentBytes {
  private static final int SHARE_OF_CALLS = 4;
  private static final int SHARE_OF_CALL = 16;

  private final long callMax;
  private final long max;
  private final AtomicLong sum = new AtomicLong();

  /**
   * Sets the bounds.
   *
   * @param callMax of one call
   * @param max of all calls
   */
  UnsentBytes(long callMax, long max) {
    this.callMax = callMax;
    this.max = max;
  }

  /** Returns the bound of one call for a heap of this size, for services that set none. */
  static long callMax(long heapBytes) {
    return heapBytes / SHARE_OF_CALL;
  }

  /** Returns the bound of all calls for a heap of this size, for services that set none. */
  static long max(long heapBytes) {
    return heapBytes / SHARE_OF_CALLS;
  }

  /**
   * Adds a message. Returns false if a bound doesn't permit it; one message of any size may wait.
   *
   * @param ofCall the bytes of its call that wait already
   */
  boolean add(long ofCall, long bytes) {
    if (ofCall > 0 && bytes > callMax - ofCall) {
      return false;
    }
    long before = sum.getAndAdd(bytes);
    boolean permitted = before == 0 || bytes <= max - before;
    if (!permitted) {
      remove(bytes);
    }
    return permitted;
  }

  void remove(long bytes) {
    long ignored = sum.addAndGet(-bytes);
  }

  /** Returns the bytes that wait. */
  long sum() {
    return sum.get();
  }
}
