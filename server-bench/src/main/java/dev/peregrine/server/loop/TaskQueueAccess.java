package dev.peregrine.server.loop;

import org.jspecify.annotations.Nullable;

/** Lets benchmarks measure {@link TaskQueue}. */
public final class TaskQueueAccess {
  private final TaskQueue queue = new TaskQueue();

  /** Any thread. */
  public void offer(LoopTask task) {
    queue.offer(task);
  }

  /** One thread. */
  public @Nullable LoopTask poll() {
    return queue.poll();
  }
}
