package dev.peregrine.bench.technique;

import dev.peregrine.server.loop.LoopTask;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Hands tasks over, per task: on one thread, and to another one that spins for them. */
public class HandOverQueueBenchmark extends Technique {
  private static final int TASKS = 256;

  @Param TaskRelay.Kind form;

  private final LoopTask[] tasks = new LoopTask[TASKS];
  private TaskRelay local;
  private TaskRelay remote;
  private Thread consumer;
  private final AtomicLong consumed = new AtomicLong();
  private volatile boolean ended;

  /** Starts the other thread and checks that every task arrives, in order. */
  @Setup(Level.Trial)
  public void setUp() {
    for (int i = 0; i < TASKS; i++) {
      tasks[i] = new Nothing();
    }
    local = form.open();
    remote = form.open();
    consumer = Thread.ofPlatform().name("consumer").daemon().start(this::consume);
    check(oneThread() == TASKS, "tasks on one thread");
    for (LoopTask task : tasks) {
      local.offer(task);
    }
    for (LoopTask task : tasks) {
      check(task.equals(local.poll()), "order");
    }
    twoThreads();
  }

  /** Ends the other thread. */
  @TearDown(Level.Trial)
  public void tearDown() throws InterruptedException {
    ended = true;
    consumer.join();
  }

  /** Offers some tasks and takes them: no contention. */
  @Benchmark
  @OperationsPerInvocation(TASKS)
  public int oneThread() {
    for (LoopTask task : tasks) {
      local.offer(task);
    }
    int polled = 0;
    while (local.poll() != null) {
      polled++;
    }
    return polled;
  }

  /** Offers some tasks and waits until the other thread has taken them. */
  @Benchmark
  @OperationsPerInvocation(TASKS)
  public void twoThreads() {
    long target = consumed.getPlain() + TASKS;
    for (LoopTask task : tasks) {
      remote.offer(task);
    }
    while (consumed.getAcquire() != target) {
      Thread.onSpinWait();
    }
  }

  private void consume() {
    long count = 0;
    while (!ended) {
      if (remote.poll() == null) {
        Thread.onSpinWait();
      } else if (++count % TASKS == 0) {
        consumed.setRelease(count);
      }
    }
  }

  private static final class Nothing extends LoopTask {
    @Override
    protected void run() {}
  }
}
