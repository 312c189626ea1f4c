package dev.peregrine.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TimerHeapTest {
  private final TimerHeap timers = new TimerHeap(System::nanoTime);

  @Test
  void givesTimersInTheOrderOfTheirTimes() {
    Seeds.each(
        50,
        random -> {
          List<LoopTimer> started = new ArrayList<>();
          long start = random.nextLong();
          for (int i = 0; i < 20; i++) {
            started.add(add(start + random.nextInt(10)));
          }
          for (int i = 0; i < 5; i++) {
            LoopTimer cancelled = started.remove(random.nextInt(started.size()));
            cancelled.cancel();
            cancelled.cancel();
          }
          started.sort(Comparator.comparingLong(timer -> timer.dueNanos - start));
          assertThat(timers.pollDue(started.getFirst().dueNanos - 1)).isNull();
          assertThat(pollAll(start + 10)).isEqualTo(started);
          assertThat(timers.first()).isNull();
        });
  }

  @Test
  void keepsTheOrderWhileTimersComeAndGo() {
    Seeds.each(
        20,
        random -> {
          List<LoopTimer> started = new ArrayList<>();
          long start = random.nextLong();
          for (int i = 0; i < 2_000; i++) {
            switch (random.nextInt(4)) {
              case 0 -> {
                if (!started.isEmpty()) {
                  started.remove(random.nextInt(started.size())).cancel();
                }
              }
              case 1 -> {
                LoopTimer due = timers.pollDue(start + 50);
                LoopTimer expected = firstOf(started, start, 50);
                assertThat(due).isSameAs(expected);
                started.remove(expected);
              }
              default -> started.add(add(start + random.nextInt(100)));
            }
          }
          started.sort(Comparator.comparingLong(timer -> timer.dueNanos - start));
          assertThat(pollAll(start + 100)).isEqualTo(started);
        });
  }

  @Test
  void movesATimerThatIsStartedAgain() {
    LoopTimer early = new LoopTimer(timers, () -> {});
    LoopTimer late = new LoopTimer(timers, () -> {});
    early.start(1);
    late.start(1_000_000_000);
    early.start(2_000_000_000);

    assertThat(timers.first()).isSameAs(late);
    late.cancel();
    assertThat(timers.first()).isSameAs(early);
  }

  private LoopTimer add(long dueNanos) {
    LoopTimer timer = new LoopTimer(timers, () -> {});
    timer.dueNanos = dueNanos;
    timers.add(timer);
    return timer;
  }

  private List<LoopTimer> pollAll(long nowNanos) {
    List<LoopTimer> due = new ArrayList<>();
    for (LoopTimer timer = timers.pollDue(nowNanos);
        timer != null;
        timer = timers.pollDue(nowNanos)) {
      due.add(timer);
    }
    return due;
  }

  /**
   * Returns the timer that is due first; of several, the one that was added first. Null if none is
   * due.
   */
  private static @Nullable LoopTimer firstOf(List<LoopTimer> started, long start, long mostNanos) {
    LoopTimer first = null;
    for (LoopTimer timer : started) {
      long due = timer.dueNanos - start;
      if (due <= mostNanos && (first == null || due < first.dueNanos - start)) {
        first = timer;
      }
    }
    return first;
  }
}
