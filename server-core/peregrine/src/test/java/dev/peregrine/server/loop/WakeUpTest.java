package dev.peregrine.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Counts how often tasks of other threads wake a loop whose waits begin and end as scripted. */
final class WakeUpTest {
  private static final int THREADS = 4;
  private static final int POSTS = 100;

  private final Waits waits = new Waits();
  private final AtomicInteger run = new AtomicInteger();
  private final EventLoop loop;

  WakeUpTest() throws IOException {
    loop = new EventLoop("counted-loop", waits);
  }

  @BeforeEach
  void start() throws InterruptedException {
    loop.start();
    waits.begun.acquire();
  }

  @AfterEach
  void end() throws InterruptedException {
    loop.stop(() -> {});
    waits.ended.release(1_000);
    loop.join();
  }

  @Test
  void manyTasksForAWaitingLoopWakeItOnce() throws InterruptedException {
    post();
    assertThat(waits.wakeUps).hasValue(1);

    waits.ended.release();
    waits.begun.acquire();
    assertThat(run).hasValue(THREADS * POSTS);
  }

  @Test
  void tasksForALoopThatWorksWakeNothing() throws InterruptedException {
    CountDownLatch works = new CountDownLatch(1);
    CountDownLatch posted = new CountDownLatch(1);
    loop.execute(
        () -> {
          works.countDown();
          awaitUninterruptibly(posted);
        });
    waits.ended.release();
    works.await();
    waits.wakeUps.set(0);

    post();
    posted.countDown();
    waits.begun.acquire();

    assertThat(waits.wakeUps).hasValue(0);
    assertThat(run).hasValue(THREADS * POSTS);
  }

  @Test
  void everyWaitIsEndedByTheNextTask() throws InterruptedException {
    for (int i = 1; i <= 3; i++) {
      post();
      assertThat(waits.wakeUps).hasValue(i);
      waits.ended.release();
      waits.begun.acquire();
    }
    assertThat(run).hasValue(3 * THREADS * POSTS);
  }

  /** Hands tasks over from several threads, and waits until they have done that. */
  private void post() throws InterruptedException {
    CountDownLatch together = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    awaitUninterruptibly(together);
                    for (int i = 0; i < POSTS; i++) {
                      loop.execute(run::incrementAndGet);
                    }
                  }));
    }
    together.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  /** A transport without sockets, whose waits the test ends. */
  private static final class Waits implements Transport, Poller {
    final Semaphore begun = new Semaphore(0);
    final Semaphore ended = new Semaphore(0);
    final AtomicInteger wakeUps = new AtomicInteger();

    @Override
    public void await(long timeoutNanos) {
      if (timeoutNanos > 0) {
        begun.release();
        ended.acquireUninterruptibly();
      }
    }

    @Override
    public void notifyReady() {}

    @Override
    public void wakeUp() {
      wakeUps.incrementAndGet();
    }

    @Override
    public void close() {}

    @Override
    public String name() {
      return "waits";
    }

    @Override
    public Poller openPoller() {
      return this;
    }

    @Override
    public Listener listen(InetSocketAddress address, int backlog, boolean reusePort) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Listener listen(
        UnixDomainSocketAddress bound, UnixDomainSocketAddress known, int backlog) {
      throw new UnsupportedOperationException();
    }
  }
}
