package dev.peregrine.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.transport.nio.NioTransport;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.ServerLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The end of an event loop, and of the tasks that come then. */
final class EventLoopEndTest {
  private static final int WAITING_TASKS_MAX = 1_000;

  @RegisterExtension private final StartedLoop started = new StartedLoop();
  private final EventLoop loop = started.loop;

  @Test
  void stopsAfterEarlierTasks() throws InterruptedException {
    List<String> order = new ArrayList<>();
    loop.execute(() -> order.add("task"));
    loop.stop(() -> order.add("end"));
    loop.join();

    assertThat(order).containsExactly("task", "end");
    assertThat(loop.thread().isAlive()).isFalse();
  }

  @Test
  void endsThoughItsLastWorkFails() throws InterruptedException {
    try (ServerLog log = new ServerLog()) {
      loop.stop(
          () -> {
            throw new IllegalStateException("intended");
          });
      loop.join();

      assertThat(log.take(Level.SEVERE)).hasSize(1);
    }
  }

  @Test
  void rejectsTasksAfterItsEnd() throws InterruptedException {
    loop.stop(() -> {});
    loop.join();
    AtomicInteger run = new AtomicInteger();
    AtomicInteger rejected = new AtomicInteger();

    loop.execute(counting(run, rejected));

    assertThat(run).hasValue(0);
    assertThat(rejected).hasValue(1);
  }

  @Test
  void runsOrRejectsEveryTaskWhileItEnds() throws Exception {
    for (int round = 0; round < 60; round++) {
      EventLoop ending = new EventLoop("ending-loop", new NioTransport());
      ending.start();
      AtomicInteger offered = new AtomicInteger();
      AtomicInteger run = new AtomicInteger();
      AtomicInteger rejected = new AtomicInteger();
      CyclicBarrier start = new CyclicBarrier(3);
      List<CompletableFuture<Void>> producers = new ArrayList<>();
      for (int t = 0; t < 2; t++) {
        producers.add(
            CompletableFuture.runAsync(
                () -> {
                  StartedLoop.await(start);
                  while (rejected.get() == 0) {
                    if (offered.get() - run.get() < WAITING_TASKS_MAX) {
                      offered.incrementAndGet();
                      ending.execute(counting(run, rejected));
                    } else {
                      LockSupport.parkNanos(1); // more in the queue only make its end later
                    }
                  }
                },
                work -> Thread.ofPlatform().start(work)));
      }
      StartedLoop.await(start);
      ending.stop(() -> {});
      ending.join();
      producers.forEach(CompletableFuture::join);

      Await.until(
          () -> offered + " tasks have run, " + run + ", or been rejected, " + rejected,
          () -> run.get() + rejected.get() == offered.get());
    }
  }

  @Test
  void isReleasedWithoutHavingRun() throws IOException {
    EventLoop unused = new EventLoop("unused-loop", new NioTransport());
    AtomicInteger run = new AtomicInteger();
    AtomicInteger rejected = new AtomicInteger();
    unused.execute(counting(run, rejected));

    unused.abandon();

    assertThat(run).hasValue(0);
    assertThat(rejected).hasValue(1);
  }

  private static LoopTask counting(AtomicInteger run, AtomicInteger rejected) {
    return new LoopTask() {
      @Override
      protected void run() {
        run.incrementAndGet();
      }

      @Override
      protected void onRejected() {
        rejected.incrementAndGet();
      }
    };
  }
}
