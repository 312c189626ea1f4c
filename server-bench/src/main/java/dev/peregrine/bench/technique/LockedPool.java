package dev.peregrine.bench.technique;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One free list for all threads. */
final class LockedPool {
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Pooled free;

  Pooled take(int bytes) {
    lock.lock();
    try {
      Pooled taken = free;
      if (taken != null) {
        free = taken.next;
        taken.next = null;
        return taken.reset();
      }
    } finally {
      lock.unlock();
    }
    return new Pooled(bytes, null);
  }

  void give(Pooled given) {
    lock.lock();
    try {
      given.next = free;
      free = given;
    } finally {
      lock.unlock();
    }
  }
}
