package dev.peregrine.server.loop;

import dev.peregrine.base.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A lock-free queue of {@link LoopTask}s: any thread offers, one thread polls. Intrusive linked
 * list after Dmitry Vyukov; producers meet at one exchange of the tail.
 */
@SuppressWarnings("ReferenceEquality") // nodes are compared by identity
public final class TaskQueue {
  private static final VarHandle TAIL =
      FieldHandle.of(MethodHandles.lookup(), "tail", LoopTask.class);

  private final LoopTask stub =
      new LoopTask() {
        @Override
        protected void run() {}
      };
  private LoopTask head = stub; // used by the consumer only

  @SuppressWarnings({"unused", "FieldMayBeFinal"}) // accessed by TAIL
  private LoopTask tail = stub;

  public void offer(LoopTask task) {
    task.next = null;
    VarHandle.releaseFence(); // for the store of the link, see HandOverQueueBenchmark
    LoopTask previous = (LoopTask) TAIL.getAndSet(this, task);
    // A plain store, because a call could fail at the end of the stack and leave the queue broken
    // here.
    previous.next = task;
  }

  /**
   * Removes and returns the oldest task; null if the queue is empty, or if a producer is just
   * linking the oldest.
   */
  public @Nullable LoopTask poll() {
    LoopTask first = head;
    LoopTask next = next(first);
    if (first == stub) {
      if (next == null) {
        return null;
      }
      head = next;
      first = next;
      next = next(first);
    }
    if (next != null) {
      head = next;
      return first;
    }
    if (first != (LoopTask) TAIL.getVolatile(this)) {
      return null;
    }
    offer(stub);
    next = next(first);
    if (next != null) {
      head = next;
      return first;
    }
    return null;
  }

  /** Like {@link #poll}, but waits while a producer is just linking the oldest task. */
  @Nullable LoopTask pollLinked() {
    LoopTask task = poll();
    while (task == null && !isEmpty()) {
      Thread.onSpinWait();
      task = poll();
    }
    return task;
  }

  /**
   * Returns the task that was offered last. It is the queue's stub, which {@link #poll} never
   * returns, if tasks were offered while the queue became empty. Consumer only.
   */
  LoopTask newest() {
    return (LoopTask) TAIL.getVolatile(this);
  }

  /** Returns true if the queue is empty; consumer only. */
  public boolean isEmpty() {
    return head == stub && (LoopTask) TAIL.getVolatile(this) == stub;
  }

  private static @Nullable LoopTask next(LoopTask task) {
    return (LoopTask) LoopTask.NEXT.getAcquire(task);
  }
}
