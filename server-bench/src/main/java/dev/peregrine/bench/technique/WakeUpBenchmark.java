package dev.peregrine.bench.technique;

import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopTask;
import dev.peregrine.server.loop.TaskQueue;
import dev.peregrine.server.transport.epoll.EpollTransport;
import dev.peregrine.server.transport.nio.NioTransport;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Posts tasks to an event loop that works, and waits until they have run; per task. The last task
 * of a run keeps the loop at work until the next run has posted.
 */
public class WakeUpBenchmark extends Technique {
  private static final int POSTS = 64;

  private final LoopTask[] posts = new LoopTask[POSTS];
  private final TaskQueue counted = new TaskQueue();
  private final AtomicInteger pending = new AtomicInteger();
  private final LoopTask drain =
      new LoopTask() {
        @Override
        protected void run() {
          drain();
        }
      };
  private final LoopTask gate =
      new LoopTask() {
        @Override
        protected void run() {
          await();
        }
      };
  private EventLoop loop;
  private int ran;
  private volatile boolean done;
  private volatile boolean posted;

  /** Starts the loop and checks that every form runs every task. */
  @Setup
  public void setUp() throws IOException {
    for (int i = 0; i < POSTS; i++) {
      posts[i] = new Post();
    }
    boolean epoll = EpollTransport.problem() == null;
    loop = new EventLoop("posts", epoll ? EpollTransport.open() : new NioTransport());
    loop.start();
    loop.execute(gate);
    for (int round = 0; round < 3; round++) {
      checkEqual(POSTS, wakeUpEach(), counter(), stateOfLoop());
    }
  }

  /** Ends the loop. */
  @TearDown
  public void tearDown() throws InterruptedException {
    posted = true;
    loop.stop(() -> {});
    loop.join();
  }

  /** Every post wakes the loop. */
  @Benchmark
  @OperationsPerInvocation(POSTS)
  public int wakeUpEach() {
    begin();
    for (LoopTask post : posts) {
      loop.execute(post);
      loop.poller().wakeUp();
    }
    loop.execute(gate);
    return end();
  }

  /** Posts are counted; the one that finds the count at 0 wakes the loop. */
  @Benchmark
  @OperationsPerInvocation(POSTS)
  public int counter() {
    begin();
    for (LoopTask post : posts) {
      count(post);
    }
    count(gate);
    return end();
  }

  /** The server's way: the loop notes that it is about to wait; the first post clears the note. */
  @Benchmark
  @OperationsPerInvocation(POSTS)
  public int stateOfLoop() {
    begin();
    for (LoopTask post : posts) {
      loop.execute(post);
    }
    loop.execute(gate);
    return end();
  }

  private void begin() {
    while (!done) { // the gate runs
      Thread.onSpinWait();
    }
    ran = 0;
    done = false;
  }

  private int end() {
    posted = true;
    while (!done) {
      Thread.onSpinWait();
    }
    return ran;
  }

  private void count(LoopTask post) {
    counted.offer(post);
    if (pending.getAndIncrement() == 0) {
      loop.execute(drain);
    }
  }

  // ---- on the loop ----

  private void await() {
    done = true;
    while (!posted) {
      Thread.onSpinWait();
    }
    posted = false;
  }

  private void drain() {
    long began = loop.readClock();
    int left = pending.get();
    while (left > 0) {
      int taken = 0;
      for (LoopTask task = counted.poll(); task != null; task = counted.poll()) {
        taken++;
        if (task instanceof Post post) {
          post.run();
        } else {
          await();
        }
        // the loop reads the clock after each task as well, for its time slice
        check(loop.readClock() - began >= 0, "clock");
      }
      left = pending.addAndGet(-taken);
    }
  }

  private final class Post extends LoopTask {
    @Override
    protected void run() {
      ran++;
    }
  }
}
