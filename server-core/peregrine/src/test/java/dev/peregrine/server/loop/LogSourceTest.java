package dev.peregrine.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.base.Log;
import dev.peregrine.testing.ScriptedLoop;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The class that {@code java.util.logging} prints as the source of a line. */
final class LogSourceTest {
  private static final Logger LOGGER = Logger.getLogger("dev.peregrine.server");

  private final List<String> sources = new ArrayList<>();

  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) { // the source is found on the stack of this call
          sources.add(record.getSourceClassName() + " " + record.getSourceMethodName());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOGGER.addHandler(handler);
    LOGGER.setUseParentHandlers(false);
  }

  @AfterEach
  void stop() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
  }

  @Test
  void isTheCallerOfTheLog() {
    Log.add(Level.INFO, "line");

    assertThat(sources).containsExactly(getClass().getName() + " isTheCallerOfTheLog");
  }

  @Test
  void isTheCallerOfABoundedLog() {
    try (ScriptedLoop loop = new ScriptedLoop()) {
      BoundedLog log = new BoundedLog(loop.loop());
      log.warn("line");
      log.add("line", new IllegalStateException("planned"));

      assertThat(sources)
          .hasSize(2)
          .containsOnly(getClass().getName() + " isTheCallerOfABoundedLog");
    }
  }
}
