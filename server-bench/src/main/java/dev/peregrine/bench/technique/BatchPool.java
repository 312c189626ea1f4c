package dev.peregrine.bench.technique;

import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The free objects of one thread, which exchanges whole batches of them with all others. */
final class BatchPool {
  /** The number of objects that are exchanged at a time. */
  static final int BATCH = 32;

  private final Depot depot;
  private final int bytes;
  private @Nullable Pooled free;
  private int count;
  private @Nullable Pooled full; // a full batch for the depot

  BatchPool(Depot depot, int bytes) {
    this.depot = depot;
    this.bytes = bytes;
  }

  Pooled take() {
    Pooled taken = free;
    if (taken == null) {
      taken = full == null ? depot.take() : full;
      full = null;
      if (taken == null) {
        return new Pooled(bytes, null);
      }
      count = BATCH;
    }
    free = taken.next;
    count--;
    taken.next = null;
    return taken.reset();
  }

  void give(Pooled given) {
    if (count == BATCH) {
      if (full != null) {
        depot.give(full);
      }
      full = free;
      free = null;
      count = 0;
    }
    given.next = free;
    free = given;
    count++;
  }

  /** Batches that no thread holds. */
  static final class Depot {
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Pooled> batches = new ArrayDeque<>();

    private @Nullable Pooled take() {
      lock.lock();
      try {
        return batches.poll();
      } finally {
        lock.unlock();
      }
    }

    private void give(Pooled batch) {
      lock.lock();
      try {
        batches.push(batch);
      } finally {
        lock.unlock();
      }
    }
  }
}
