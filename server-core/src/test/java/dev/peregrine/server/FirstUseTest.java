package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.ServerLog;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

final class FirstUseTest {
  @Test
  void findsAllItsClassesAndLogsNothing() {
    try (ServerLog log = new ServerLog()) {
      FirstUse.prepare();

      assertThat(log.take(Level.ALL)).isEmpty();
    }
  }
}
