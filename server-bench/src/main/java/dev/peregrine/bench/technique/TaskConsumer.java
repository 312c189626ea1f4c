package dev.peregrine.bench.technique;

import dev.peregrine.server.loop.LoopTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** A thread that runs the tasks of a queue. It spins or sleeps while there are none. */
final class TaskConsumer {
  private final TaskRelay queue;
  private final Thread thread;
  private final AtomicBoolean asleep = new AtomicBoolean();
  private volatile boolean spins;
  private volatile boolean ended;

  TaskConsumer(TaskRelay queue) {
    this.queue = queue;
    thread = Thread.ofPlatform().name("consumer").daemon().start(this::consume);
  }

  /** Sets whether it spins while it has no task. */
  void spin(boolean on) {
    if (on != spins) {
      spins = on;
      LockSupport.unpark(thread);
    }
  }

  /** Adds a task, and wakes the thread if it sleeps; the first of several producers does. */
  void offer(LoopTask task) {
    queue.offer(task);
    if (asleep.get() && asleep.compareAndSet(true, false)) {
      LockSupport.unpark(thread);
    }
  }

  /** Ends the thread. */
  void close() throws InterruptedException {
    ended = true;
    LockSupport.unpark(thread);
    thread.join();
  }

  private void consume() {
    while (!ended) {
      LoopTask task = queue.poll();
      if (task != null) {
        ((HandOverQueueBenchmark.Task) task).run();
      } else if (spins || !queue.isEmpty()) { // a producer may be just adding a task
        Thread.onSpinWait();
      } else {
        sleep();
      }
    }
  }

  private void sleep() {
    asleep.set(true);
    if (queue.isEmpty()
        && !ended
        && !spins) { // no task was offered before its producer saw the flag
      LockSupport.park(this);
    }
    asleep.set(false);
  }
}
