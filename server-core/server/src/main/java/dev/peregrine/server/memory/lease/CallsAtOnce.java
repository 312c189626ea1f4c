package dev.peregrine.server.memory.lease;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls that can't wait for a loop, because it has ended or the heap is full: made by the thread
 * that ends the lease. An owner that sends again within such a call is called back after it, or
 * else the calls would fill the stack.
 */
final class CallsAtOnce {
  private static final ThreadLocal<@Nullable ArrayDeque<Call>> NESTED = new ThreadLocal<>();

  private record Call(ByteBuffer buffer, Consumer<? super ByteBuffer> whenSent) {
    void make() {
      Leases.call(buffer, whenSent);
    }
  }

  private CallsAtOnce() {}

  /** Calls back, or has the calling thread do so soon. Throws nothing. */
  static void make(ByteBuffer buffer, Consumer<? super ByteBuffer> whenSent) {
    ArrayDeque<Call> later;
    try {
      ArrayDeque<Call> outer = NESTED.get();
      if (outer != null) {
        outer.add(new Call(buffer, whenSent));
        return;
      }
      later = new ArrayDeque<>();
      NESTED.set(later);
    } catch (Throwable noMemory) {
      Leases.call(buffer, whenSent);
      return;
    }
    try {
      Leases.call(buffer, whenSent);
      for (Call next = later.poll(); next != null; next = later.poll()) {
        next.make();
      }
    } finally {
      NESTED.remove();
    }
  }
}
