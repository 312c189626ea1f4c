package dev.peregrine.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.transport.Poller;
import org.junit.jupiter.api.Test;

final class TaskInboxTest {
  private final Wait wait = new Wait();
  private final TaskInbox inbox = new TaskInbox(wait);
  private int rejected;

  @Test
  void wakesOnlyALoopThatIsAsleepAndOnlyOnce() {
    inbox.offer(task());
    assertThat(wait.wakeUps).as("awake").isZero();
    assertThat(inbox.fallAsleep()).as("a task waits").isFalse();

    assertThat(inbox.poll()).isNotNull();
    assertThat(inbox.fallAsleep()).isTrue();
    assertThat(inbox.isAwake()).isFalse();
    inbox.offer(task());
    inbox.offer(task());
    assertThat(wait.wakeUps).isEqualTo(1);

    inbox.awaken();
    assertThat(inbox.isAwake()).isTrue();
  }

  @Test
  void keepsATaskWhoseWakeUpFailsAndWakesAgain() {
    assertThat(inbox.fallAsleep()).isTrue();
    wait.failures = 1;
    inbox.offer(task());
    assertThat(wait.wakeUps).isZero();

    inbox.wakeUpIfMissed();
    inbox.wakeUpIfMissed();
    assertThat(wait.wakeUps).isEqualTo(1);
    assertThat(inbox.poll()).isNotNull();
  }

  @Test
  void wakesWhatTheLoopWaitsInAfterAMove() {
    Wait next = new Wait();
    inbox.wakeBy(next);
    assertThat(inbox.fallAsleep()).isTrue();

    inbox.offer(task());

    assertThat(next.wakeUps).isEqualTo(1);
    assertThat(wait.wakeUps).isZero();
  }

  @Test
  void rejectsTheTasksThatWaitAtTheEndAndAllLaterOnes() {
    inbox.offer(task());
    inbox.end();
    assertThat(rejected).isEqualTo(1);

    inbox.offer(task());
    assertThat(rejected).isEqualTo(2);
    assertThat(inbox.isEmpty()).isTrue();
    assertThat(inbox.isEnded()).isTrue();
  }

  private LoopTask task() {
    return new LoopTask() {
      @Override
      protected void run() {}

      @Override
      protected void onRejected() {
        rejected++;
      }
    };
  }

  /** The wait of a loop, with wake-ups that fail at first. */
  private static final class Wait implements Poller {
    int wakeUps;
    int failures;

    @Override
    public void await(long timeoutNanos) {}

    @Override
    public void notifyReady() {}

    @Override
    public void wakeUp() {
      if (failures > 0) {
        failures--;
        throw new IllegalStateException("on purpose");
      }
      wakeUps++;
    }

    @Override
    public void close() {}
  }
}
