package dev.peregrine.bench.technique;

import dev.peregrine.server.loop.LoopTask;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/** Hands tasks over, per task: on one thread, and from one or several threads to another one. */
public class HandOverQueueBenchmark extends Technique {
  private static final int TASKS = 256;
  private static final int PRODUCERS = 3;

  @Param TaskRelay.Kind form;

  private final Task[] tasks = new Task[TASKS];
  private TaskRelay local;
  private int ran;
  private volatile boolean done;
  private @Nullable Thread sleeper; // waits until all have run

  /** The queue that several threads use, and its consumer. */
  @State(Scope.Benchmark)
  public static class Shared {
    private @Nullable TaskConsumer consumer;

    synchronized TaskConsumer start(TaskRelay.Kind form) {
      if (consumer == null) {
        consumer = new TaskConsumer(form.open());
      }
      return consumer;
    }

    /** Ends the consumer. */
    @TearDown
    public void tearDown() throws InterruptedException {
      if (consumer != null) {
        consumer.close();
      }
    }
  }

  /** Checks that every task arrives once and in order. */
  @Setup
  public void setUp(Shared shared) {
    for (int i = 0; i < TASKS; i++) {
      tasks[i] = new Task(i);
    }
    local = form.open();
    shared.start(form);
    for (int round = 0; round < 3; round++) {
      checkEqual(TASKS, oneThread(), spinningConsumer(shared), sleepingConsumer(shared));
    }
  }

  /** Offers some tasks and takes them: no contention. */
  @Benchmark
  @OperationsPerInvocation(TASKS)
  public int oneThread() {
    ran = 0;
    for (Task task : tasks) {
      local.offer(task);
    }
    for (LoopTask task = local.poll(); task != null; task = local.poll()) {
      ((Task) task).run();
    }
    return ran;
  }

  /** Offers some tasks to a thread that spins for them, and spins until they have run. */
  @Benchmark
  @OperationsPerInvocation(TASKS)
  public int spinningConsumer(Shared shared) {
    TaskConsumer consumer = shared.start(form);
    consumer.spin(true);
    offer(consumer);
    while (!done) {
      Thread.onSpinWait();
    }
    return ran;
  }

  /** Several threads offer tasks to one that sleeps if there are none, and sleep meanwhile. */
  @Benchmark
  @Threads(PRODUCERS)
  @OperationsPerInvocation(TASKS)
  public int sleepingConsumer(Shared shared) {
    TaskConsumer consumer = shared.start(form);
    consumer.spin(false);
    sleeper = Thread.currentThread();
    offer(consumer);
    while (!done) {
      LockSupport.park(this);
    }
    sleeper = null;
    return ran;
  }

  private void offer(TaskConsumer consumer) {
    ran = 0;
    done = false;
    for (Task task : tasks) {
      consumer.offer(task);
    }
  }

  /** Counts itself if it is the next one. */
  final class Task extends LoopTask {
    private final int number;

    Task(int number) {
      this.number = number;
    }

    @Override
    protected void run() {
      if (number != ran++) {
        throw new IllegalStateException("task " + number + " is out of order");
      }
      if (ran == TASKS) {
        Thread waiting = sleeper;
        done = true;
        LockSupport.unpark(waiting);
      }
    }
  }
}
