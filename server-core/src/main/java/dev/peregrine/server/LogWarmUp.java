package dev.peregrine.server;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;

/**
 * Has the log load what it needs while there still is memory, and a descriptor, for it. The JDK's
 * own log reads its configuration and the time zones when it writes its first record; if that fails
 * once, it stays silent for ever. Nothing is written.
 */
final class LogWarmUp {
  private static final Logger LOGGER = System.getLogger("dev.peregrine.server");

  private LogWarmUp() {}

  static void run() {
    boolean used = LOGGER.isLoggable(Level.INFO); // which has another log configure itself
    String implementation = LOGGER.getClass().getName();
    if (used
        && (implementation.startsWith("jdk.internal.logger.")
            || implementation.startsWith("sun.util.logging."))
        && ModuleLayer.boot().findModule("java.logging").isPresent()) {
      formatRecord();
    }
  }

  private static void formatRecord() {
    LogRecord record = new LogRecord(java.util.logging.Level.INFO, "");
    java.util.logging.Logger root = LogManager.getLogManager().getLogger("");
    for (Handler handler : root.getHandlers()) {
      if (handler.getFormatter() != null) {
        String ignored = handler.getFormatter().format(record);
      }
    }
  }
}
