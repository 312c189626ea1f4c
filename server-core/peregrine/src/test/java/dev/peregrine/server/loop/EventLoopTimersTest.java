package dev.peregrine.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Await;
import dev.peregrine.testing.ServerLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The timers of an event loop. */
final class EventLoopTimersTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  @RegisterExtension private final StartedLoop started = new StartedLoop();
  private final EventLoop loop = started.loop;

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

    assertThat(started.call(() -> List.copyOf(order))).containsExactly(0, 10, 20, 30, 40);
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
}
