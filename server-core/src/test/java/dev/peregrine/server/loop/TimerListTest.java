package dev.peregrine.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TimerListTest {
  private final TimerList timers = new TimerList(System::nanoTime);

  @Test
  void givesTimersInTheOrderOfTheirTimes() {
    Seeds.each(
        50,
        random -> {
          List<LoopTimer> started = new ArrayList<>();
          long start = random.nextLong();
          for (int i = 0; i < 20; i++) {
            LoopTimer timer = new LoopTimer(timers, () -> {});
            timer.dueNanos = start + random.nextInt(10);
            timers.add(timer);
            started.add(timer);
          }
          for (int i = 0; i < 5; i++) {
            LoopTimer cancelled = started.remove(random.nextInt(started.size()));
            cancelled.cancel();
            cancelled.cancel();
          }
          started.sort(Comparator.comparingLong(timer -> timer.dueNanos - start));
          assertThat(timers.pollDue(started.getFirst().dueNanos - 1)).isNull();
          List<LoopTimer> due = new ArrayList<>();
          for (LoopTimer timer = timers.pollDue(start + 10);
              timer != null;
              timer = timers.pollDue(start + 10)) {
            due.add(timer);
          }
          assertThat(due).isEqualTo(started);
          assertThat(timers.first()).isNull();
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
}
