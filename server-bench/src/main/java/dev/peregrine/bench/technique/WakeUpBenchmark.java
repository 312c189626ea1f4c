package dev.peregrine.bench.technique;

import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopTask;
import dev.peregrine.server.loop.NioTransport;
import dev.peregrine.server.loop.TaskQueue;
import dev.peregrine.server.loop.epoll.EpollTransport;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Posts tasks to an event loop that waits for sockets, and waits until they have run; per task. */
public class WakeUpBenchmark extends Technique {
  private static final int POSTS = 64;

  private final Post[] posts = new Post[POSTS];
  private final TaskQueue counted = new TaskQueue();
  private final AtomicInteger pending = new AtomicInteger();
  private final LoopTask drain =
      new LoopTask() {
        @Override
        protected void run() {
          drain();
        }
      };
  private EventLoop loop;
  private int ran;
  private volatile boolean done;

  /** Starts the loop and checks that every form runs every task. */
  @Setup
  public void setUp() throws IOException {
    for (int i = 0; i < POSTS; i++) {
      posts[i] = new Post();
    }
    boolean epoll = EpollTransport.problem() == null;
    loop = new EventLoop("posts", epoll ? EpollTransport.open() : new NioTransport());
    loop.start();
    for (int round = 0; round < 3; round++) {
      checkEqual(POSTS, wakeUpEach(), counter(), stateOfLoop());
    }
  }

  /** Ends the loop. */
  @TearDown
  public void tearDown() throws InterruptedException {
    loop.stop(() -> {});
    loop.join();
  }

  /** Every post wakes the loop. */
  @Benchmark
  @OperationsPerInvocation(POSTS)
  public int wakeUpEach() {
    begin();
    for (Post post : posts) {
      loop.execute(post);
      loop.poller().wakeUp();
    }
    return await();
  }

  /** Posts are counted; the one that finds the count at 0 wakes the loop. */
  @Benchmark
  @OperationsPerInvocation(POSTS)
  public int counter() {
    begin();
    for (Post post : posts) {
      counted.offer(post);
      if (pending.getAndIncrement() == 0) {
        loop.execute(drain);
      }
    }
    return await();
  }

  /** The server's way: the loop notes that it is about to wait; the first post clears the note. */
  @Benchmark
  @OperationsPerInvocation(POSTS)
  public int stateOfLoop() {
    begin();
    for (Post post : posts) {
      loop.execute(post);
    }
    return await();
  }

  private void begin() {
    ran = 0;
    done = false;
  }

  private int await() {
    while (!done) {
      Thread.onSpinWait();
    }
    return ran;
  }

  private void drain() {
    int left = pending.get();
    while (left > 0) {
      int taken = 0;
      for (LoopTask task = counted.poll(); task != null; task = counted.poll()) {
        taken++;
        ((Post) task).run();
      }
      left = pending.addAndGet(-taken);
    }
  }

  private final class Post extends LoopTask {
    @Override
    protected void run() {
      if (++ran == POSTS) {
        done = true;
      }
    }
  }
}
