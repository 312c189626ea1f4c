package dev.peregrine.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.loop.watch.LoopWatchdog;
import dev.peregrine.server.transport.nio.NioTransport;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Faults;
import dev.peregrine.testing.FaultyTransport;
import dev.peregrine.testing.ServerLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class EventLoopTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  @RegisterExtension private final StartedLoop started = new StartedLoop();
  private final EventLoop loop = started.loop;

  @Test
  void runsTasksOnItsThread() {
    assertThat(loop.isCurrent()).isFalse();
    assertThat(started.call(loop::isCurrent)).isTrue();
    assertThat(started.call(() -> Thread.currentThread().getName())).isEqualTo("test-loop");
    assertThat(started.call(Thread::currentThread)).isSameAs(loop.thread());
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
    started.call(() -> true);

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
                StartedLoop.await(start);
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

      assertThat(started.call(() -> "alive")).isEqualTo("alive");
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
  void readsItsClockOncePerTurn() {
    long before = System.nanoTime();
    long[] seen = started.call(() -> new long[] {loop.nanos(), loop.nanos()});

    assertThat(seen[1]).isEqualTo(seen[0]);
    assertThat(seen[0]).isLessThanOrEqualTo(System.nanoTime());
    assertThat(started.call(loop::nanos)).isGreaterThanOrEqualTo(before);
  }

  /** A watchdog may ask for a turn right after its end. */
  @Test
  void keepsTheLengthOfATurnThatItsWatchdogHasAskedFor() {
    long turn =
        started.call(
            () -> {
              loop.notes().ask(loop.busySinceNanos());
              return loop.busySinceNanos();
            });
    Await.until("the turn has ended", () -> loop.notes().nanos(turn) >= 0);

    loop.notes().ask(turn);
    long next = started.call(loop::busySinceNanos);
    long last = started.call(loop::busySinceNanos);

    assertThat(next).isNotEqualTo(turn);
    assertThat(last).isNotEqualTo(turn);
    assertThat(loop.notes().nanos(turn)).isNotNegative();
  }
}
