package dev.peregrine.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.loop.watch.LoopWatchdog;
import dev.peregrine.server.transport.nio.NioTransport;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Faults;
import dev.peregrine.testing.FaultyTransport;
import dev.peregrine.testing.ServerLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class EventLoopTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int WAITING_TASKS_MAX = 1_000;

  private final EventLoop loop;

  EventLoopTest() throws IOException {
    loop = new EventLoop("test-loop", new NioTransport());
  }

  @BeforeEach
  void start() {
    loop.start();
  }

  @AfterEach
  void end() throws InterruptedException {
    loop.stop(() -> {});
    loop.join();
    assertThat(loop.bufferPool().blocksInUse()).isZero();
  }

  @Test
  void runsTasksOnItsThread() {
    assertThat(loop.isCurrent()).isFalse();
    assertThat(call(loop::isCurrent)).isTrue();
    assertThat(call(() -> Thread.currentThread().getName())).isEqualTo("test-loop");
    assertThat(call(Thread::currentThread)).isSameAs(loop.thread());
  }

  @Test
  void keepsTheProgramRunningWhicheverThreadMadeIt() throws Exception {
    try (ExecutorService daemons = Executors.newVirtualThreadPerTaskExecutor()) {
      EventLoop other = daemons.submit(() -> new EventLoop("other", new NioTransport())).get();
      other.start();
      assertThat(other.thread().isDaemon()).isFalse();
      other.stop(() -> {});
      other.join();
    }
  }

  @Test
  void runsTasksInTheOrderInWhichAThreadHandedThemOver() {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      int number = i;
      loop.execute(() -> order.add(number));
    }
    call(() -> true);

    assertThat(order).hasSize(10_000).isSorted();
  }

  @Test
  void runsTasksThatTasksHandOver() {
    AtomicInteger left = new AtomicInteger(5_000);
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Runnable[] again = new Runnable[1];
    again[0] =
        () -> {
          if (left.decrementAndGet() > 0) {
            loop.execute(again[0]);
          } else {
            done.complete(true);
          }
        };
    loop.execute(again[0]);

    assertThat(done.join()).isTrue();
  }

  @Test
  void pollsBetweenTwoRunsOfATaskThatHandsItselfOver() {
    List<String> order = new ArrayList<>();
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Runnable[] again = new Runnable[1];
    again[0] =
        () -> {
          order.add("task");
          if (order.size() < 10) {
            loop.schedule(0, () -> order.add("turn")); // timers run once per turn, before tasks
            loop.execute(again[0]);
          } else {
            done.complete(true);
          }
        };
    loop.execute(again[0]);

    assertThat(done.orTimeout(120, TimeUnit.SECONDS).join()).isTrue();
    for (int i = 0; i < 8; i++) {
      assertThat(order.get(i)).isEqualTo(i % 2 == 0 ? "task" : "turn");
    }
  }

  @Test
  void pollsAfterATaskThatTakesAsLongAsASlice() throws Exception {
    AtomicLong clock = new AtomicLong();
    EventLoop slow = new EventLoop("slow-loop", new NioTransport(), clock::get);
    List<Long> turns = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      slow.execute(
          () -> {
            turns.add(slow.nanos());
            clock.addAndGet(TimeSlice.NANOS_MAX / 2);
          });
    }
    slow.stop(() -> {});
    slow.start();
    slow.join();

    assertThat(turns).containsExactly(0L, 0L, TimeSlice.NANOS_MAX, TimeSlice.NANOS_MAX);
  }

  @Test
  void losesNoTaskWhicheverMomentItComes() throws Exception {
    // One task at a time: the loop falls asleep between them, and each must wake it.
    int threads = 3;
    CyclicBarrier start = new CyclicBarrier(threads);
    AtomicLong run = new AtomicLong();
    List<CompletableFuture<Void>> producers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      producers.add(
          CompletableFuture.runAsync(
              () -> {
                await(start);
                for (int i = 0; i < 5_000; i++) {
                  CompletableFuture<Boolean> done = new CompletableFuture<>();
                  loop.execute(
                      () -> {
                        run.incrementAndGet();
                        done.complete(true);
                      });
                  done.orTimeout(120, TimeUnit.SECONDS).join();
                }
              },
              work -> Thread.ofPlatform().start(work)));
    }
    producers.forEach(CompletableFuture::join);

    assertThat(run).hasValue(threads * 5_000L);
  }

  @Test
  void losesNoTaskOfAFlood() {
    AtomicLong run = new AtomicLong();
    List<CompletableFuture<Void>> producers = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      producers.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 50_000; i++) {
                  loop.execute(run::incrementAndGet);
                }
              },
              work -> Thread.ofPlatform().start(work)));
    }
    producers.forEach(CompletableFuture::join);

    Await.until(() -> run + " tasks have run", () -> run.get() == 200_000);
  }

  @Test
  void continuesAfterATaskThatFails() {
    try (ServerLog log = new ServerLog()) {
      loop.execute(
          () -> {
            throw new IllegalStateException("intended");
          });
      loop.execute(
          () -> {
            throw new AssertionError("intended");
          });

      assertThat(call(() -> "alive")).isEqualTo("alive");
      assertThat(log.take(Level.SEVERE)).hasSize(2);
    }
  }

  @Test
  void leavesNoInterruptOfATaskToALaterTurn() {
    CompletableFuture<Boolean> later = new CompletableFuture<>();
    loop.execute(
        () -> {
          Thread.currentThread().interrupt();
          loop.schedule(MILLI, () -> later.complete(Thread.currentThread().isInterrupted()));
        });

    assertThat(later.join()).isFalse();
  }

  @Test
  void servesTasksAndTimersThoughItsPollerOnlyFails() throws Exception {
    try (ServerLog _ = new ServerLog()) {
      Faults faults = new Faults();
      AtomicLong clock = new AtomicLong();
      EventLoop failing =
          new EventLoop("failing", new FaultyTransport(new NioTransport(), faults), clock::get);
      List<Throwable> fatal = new CopyOnWriteArrayList<>();
      faults.plan("poll", 1, Integer.MAX_VALUE, () -> new OutOfMemoryError("intended"));
      failing.start();
      AtomicInteger attempts = new AtomicInteger();
      LoopWatchdog watchdog =
          new LoopWatchdog(
              "watching",
              List.of(failing),
              TimeUnit.DAYS.toNanos(1),
              0,
              report -> {},
              cause -> {
                if (attempts.incrementAndGet() < 3) {
                  throw new OutOfMemoryError("intended");
                }
                fatal.add(cause);
              });
      CompletableFuture<Boolean> timer = new CompletableFuture<>();
      failing.execute(() -> failing.schedule(0, () -> timer.complete(true)));
      assertThat(timer.orTimeout(120, TimeUnit.SECONDS).join()).isTrue();

      clock.addAndGet(FailureSpell.TOLERATED_NANOS - 1);
      turn(failing);
      turn(failing);
      assertThat(attempts).hasValue(0);
      clock.addAndGet(1);
      Await.until("the failure is passed on", () -> !fatal.isEmpty());
      assertThat(fatal).singleElement().isInstanceOf(OutOfMemoryError.class);

      watchdog.close();
      failing.stop(() -> {});
      failing.join();
      assertThat(attempts).hasValue(3);
    }
  }

  /** Returns after a turn of the loop. */
  private static void turn(EventLoop turning) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    turning.execute(() -> turning.execute(() -> done.complete(true)));
    done.orTimeout(120, TimeUnit.SECONDS).join();
  }

  @Test
  void isWokenByItsWatchdogWhenAWakeUpHasFailed() throws Exception {
    Faults faults = new Faults();
    EventLoop sleeping = new EventLoop("sleeping", new FaultyTransport(new NioTransport(), faults));
    sleeping.start();
    turn(sleeping);
    faults.plan("wakeUp", 1, Integer.MAX_VALUE, () -> new StackOverflowError("intended"));
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    sleeping.execute(() -> done.complete(true));
    faults.clear();
    try (LoopWatchdog _ =
        new LoopWatchdog("watching", List.of(sleeping), MILLI, 0, report -> {}, cause -> {})) {
      assertThat(done.orTimeout(120, TimeUnit.SECONDS).join()).isTrue();
    }
    sleeping.stop(() -> {});
    sleeping.join();
  }

  @Test
  void runsTimersInTheOrderOfTheirTimes() {
    List<Integer> order = new ArrayList<>();
    CountDownLatch all = new CountDownLatch(5);
    loop.execute(
        () -> {
          for (int delay : new int[] {40, 10, 30, 0, 20}) {
            loop.schedule(
                delay * MILLI,
                () -> {
                  order.add(delay);
                  all.countDown();
                });
          }
        });
    Await.until("all timers have run", () -> all.getCount() == 0);

    assertThat(call(() -> List.copyOf(order))).containsExactly(0, 10, 20, 30, 40);
  }

  @Test
  void runsNoTimerTooEarly() {
    CompletableFuture<Long> late = new CompletableFuture<>();
    loop.execute(
        () -> {
          long due = System.nanoTime() + 25 * MILLI;
          loop.schedule(25 * MILLI, () -> late.complete(System.nanoTime() - due));
        });

    assertThat(late.join()).isNotNegative();
  }

  @Test
  void runsTimersThatTimersSet() {
    AtomicInteger left = new AtomicInteger(20);
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Runnable[] again = new Runnable[1];
    again[0] =
        () -> {
          if (left.decrementAndGet() > 0) {
            loop.schedule(MILLI / 2, again[0]);
          } else {
            done.complete(true);
          }
        };
    loop.execute(again[0]);

    assertThat(done.join()).isTrue();
  }

  @Test
  void continuesAfterATimerThatFails() {
    try (ServerLog log = new ServerLog()) {
      CompletableFuture<String> next = new CompletableFuture<>();
      loop.execute(
          () -> {
            loop.schedule(
                0,
                () -> {
                  throw new IllegalStateException("intended");
                });
            loop.schedule(MILLI, () -> next.complete("alive"));
          });

      assertThat(next.join()).isEqualTo("alive");
      assertThat(log.take(Level.SEVERE)).hasSize(1);
    }
  }

  @Test
  void readsItsClockOncePerTurn() {
    long before = System.nanoTime();
    long[] seen = call(() -> new long[] {loop.nanos(), loop.nanos()});

    assertThat(seen[1]).isEqualTo(seen[0]);
    assertThat(seen[0]).isLessThanOrEqualTo(System.nanoTime());
    assertThat(call(loop::nanos)).isGreaterThanOrEqualTo(before);
  }

  /** A watchdog may ask for a turn right after its end. */
  @Test
  void keepsTheLengthOfATurnThatItsWatchdogHasAskedFor() {
    long turn =
        call(
            () -> {
              loop.notes().ask(loop.busySinceNanos());
              return loop.busySinceNanos();
            });
    Await.until("the turn has ended", () -> loop.notes().nanos(turn) >= 0);

    loop.notes().ask(turn);
    long next = call(loop::busySinceNanos);
    long last = call(loop::busySinceNanos);

    assertThat(next).isNotEqualTo(turn);
    assertThat(last).isNotEqualTo(turn);
    assertThat(loop.notes().nanos(turn)).isNotNegative();
  }

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
                  await(start);
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
      await(start);
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

  private <T> T call(Supplier<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    loop.execute(() -> result.complete(work.get()));
    return result.orTimeout(120, TimeUnit.SECONDS).join();
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }
}
