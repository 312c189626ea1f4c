package dev.peregrine.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.ServerLog;
import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

final class FailureLogTest {
  private static final int MAX = FailureLog.LINES_PER_PERIOD_MAX;

  private final FailureLog failures = new FailureLog();
  private final long start = System.nanoTime();

  private void add(int count, long nanos) {
    for (int i = 0; i < count; i++) {
      failures.add("a listener failed", new IOException("intended"), start + nanos);
    }
  }

  @Test
  void logsNoMoreThanItsLimitInAPeriodAndCountsTheOthers() {
    try (ServerLog log = new ServerLog()) {
      add(MAX + 7, 0);
      assertThat(log.take(Level.ALL)).hasSize(MAX);

      add(1, 2 * FailureLog.PERIOD_NANOS);

      assertThat(log.take(Level.ALL))
          .extracting(LogRecord::getMessage)
          .containsExactly("7 more of these were not logged", "a listener failed");
    }
  }
}
