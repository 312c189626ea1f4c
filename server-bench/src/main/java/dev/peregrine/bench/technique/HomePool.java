package dev.peregrine.bench.technique;

import dev.peregrine.server.loop.LoopTask;
import dev.peregrine.server.loop.TaskQueue;
import org.jspecify.annotations.Nullable;

/** The free objects of one thread. Those that another thread frees come home through a queue. */
final class HomePool {
  private final int bytes;
  private final TaskQueue returned = new TaskQueue();
  private @Nullable Pooled free;

  HomePool(int bytes) {
    this.bytes = bytes;
  }

  Pooled take() {
    Pooled taken = free;
    if (taken == null) {
      LoopTask came = returned.poll();
      return came == null ? new Pooled(bytes, this) : ((Pooled) came).reset();
    }
    free = taken.next;
    taken.next = null;
    return taken.reset();
  }

  /** Takes an object back that belongs here or to another thread's pool. */
  @SuppressWarnings("ReferenceEquality") // pools are compared by identity
  void give(Pooled given) {
    HomePool home = given.home;
    if (home == this) {
      given.next = free;
      free = given;
    } else if (home != null) {
      home.returned.offer(given);
    }
  }
}
