package dev.peregrine.http.websocket;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Lets one thread at a time wait until another has changed something. Raising it never waits. */
final class Signal {
  private volatile @Nullable Thread waiting;

  /**
   * Waits until a condition holds, and checks it after each {@link #raise}.
   *
   * @return false if it doesn't hold after the given time
   */
  boolean await(BooleanSupplier condition, long nanos) throws InterruptedException {
    long start = System.nanoTime();
    waiting = Thread.currentThread();
    try {
      while (!condition.getAsBoolean()) {
        long left = nanos - (System.nanoTime() - start);
        if (left <= 0) {
          return false;
        }
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        LockSupport.parkNanos(this, left);
      }
      return true;
    } finally {
      waiting = null;
    }
  }

  void raise() {
    Thread thread = waiting;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
