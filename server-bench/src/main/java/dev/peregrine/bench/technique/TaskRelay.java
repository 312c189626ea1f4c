package dev.peregrine.bench.technique;

import dev.peregrine.server.loop.LoopTask;
import dev.peregrine.server.loop.TaskQueue;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A queue through which threads pass tasks to one other thread. */
public interface TaskRelay {
  /** Adds a task; callable from any thread. */
  void offer(LoopTask task);

  /** Removes a task; called by one thread. */
  @Nullable LoopTask poll();

  /** Returns true if no task waits; called by the thread that polls. */
  boolean isEmpty();

  /** The kinds of queues. */
  enum Kind {
    LOCKED,
    LOCKED_BATCHES,
    CONCURRENT_LINKED,
    NETTY_MPSC,
    INTRUSIVE;

    TaskRelay open() {
      return switch (this) {
        case LOCKED -> new Locked();
        case LOCKED_BATCHES -> new LockedBatches();
        case CONCURRENT_LINKED -> new Around(new ConcurrentLinkedQueue<>());
        case NETTY_MPSC -> new Around(PlatformDependent.newMpscQueue());
        case INTRUSIVE -> new Intrusive();
      };
    }
  }

  /** A concurrent queue. */
  final class Around implements TaskRelay {
    private final Queue<LoopTask> queue;

    Around(Queue<LoopTask> queue) {
      this.queue = queue;
    }

    @Override
    public void offer(LoopTask task) {
      queue.add(task);
    }

    @Override
    public @Nullable LoopTask poll() {
      return queue.poll();
    }

    @Override
    public boolean isEmpty() {
      return queue.isEmpty();
    }
  }

  /** A plain queue with a lock. */
  final class Locked implements TaskRelay {
    static final int CAPACITY = 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<LoopTask> queue = new ArrayDeque<>(CAPACITY);

    @Override
    public void offer(LoopTask task) {
      lock.lock();
      try {
        queue.add(task);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public @Nullable LoopTask poll() {
      lock.lock();
      try {
        return queue.poll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public boolean isEmpty() {
      lock.lock();
      try {
        return queue.isEmpty();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Two plain queues, which the consumer swaps under a lock when its own is empty. */
  final class LockedBatches implements TaskRelay {
    private final ReentrantLock lock = new ReentrantLock();
    private ArrayDeque<LoopTask> offered = new ArrayDeque<>(Locked.CAPACITY);
    private ArrayDeque<LoopTask> taken = new ArrayDeque<>(Locked.CAPACITY); // the consumer's
    private volatile boolean hasOffered; // so that the consumer looks without the lock

    @Override
    public void offer(LoopTask task) {
      lock.lock();
      try {
        offered.add(task);
        if (!hasOffered) {
          hasOffered = true;
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public @Nullable LoopTask poll() {
      LoopTask task = taken.poll();
      if (task != null || !hasOffered) {
        return task;
      }
      lock.lock();
      try {
        ArrayDeque<LoopTask> empty = taken;
        taken = offered;
        offered = empty;
        hasOffered = false;
      } finally {
        lock.unlock();
      }
      return taken.poll();
    }

    @Override
    public boolean isEmpty() {
      return taken.isEmpty() && !hasOffered;
    }
  }

  /** The server's: tasks are their own links. */
  final class Intrusive implements TaskRelay {
    private final TaskQueue queue = new TaskQueue();

    @Override
    public void offer(LoopTask task) {
      queue.offer(task);
    }

    @Override
    public @Nullable LoopTask poll() {
      return queue.poll();
    }

    @Override
    public boolean isEmpty() {
      return queue.isEmpty();
    }
  }
}
