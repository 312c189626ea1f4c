package dev.peregrine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class WakeUpLockTest {
  private static final Duration AT_MOST = Duration.ofMinutes(1);

  /** Waiting for it would unmount a virtual thread, while it owes the wake-up to its own loop. */
  @Test
  void signalsWithoutALock() throws IOException, InterruptedException {
    String problem = Linux.problem();
    assumeTrue(problem == null, problem);
    try (WakeUp wakeUp = new WakeUp()) {
      synchronized (wakeUp) {
        Thread signaller = Thread.ofVirtual().start(wakeUp::signal);
        assertThat(signaller.join(AT_MOST)).isTrue();
      }
    }
  }
}
