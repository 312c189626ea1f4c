package dev.peregrine.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;

/**
 * Sets java.util.logging, which {@link System.Logger} goes to, to one line per record on standard
 * error, from WARNING on. The log creates an object of this class with its first record; no class
 * of the log is loaded before.
 */
public final class LogSetup {
  private static final String CONFIGURED_BY_CLASS = "java.util.logging.config.class";
  private static final String CONFIGURED_BY_FILE = "java.util.logging.config.file";
  private static final String FORMAT = "java.util.logging.SimpleFormatter.format";
  private static final String LEVEL = "dev.peregrine.cli.level"; // a system property
  private static final String TIME_LEVEL_NAME_TEXT = "%1$tF %1$tT %4$s %3$s: %5$s%6$s%n";

  /** Configures the log. */
  public LogSetup() throws IOException {
    String text =
        """
        handlers = java.util.logging.ConsoleHandler
        .level = %s
        %s = %s
        """
            .formatted(
                System.getProperty(LEVEL, "WARNING"),
                FORMAT,
                System.getProperty(FORMAT, TIME_LEVEL_NAME_TEXT));
    LogManager.getLogManager()
        .readConfiguration(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  /** Has the log use this class, unless the user has configured the log. */
  static void install(boolean verbose) {
    if (System.getProperty(CONFIGURED_BY_FILE) == null
        && System.getProperty(CONFIGURED_BY_CLASS) == null) {
      System.setProperty(LEVEL, verbose ? "INFO" : "WARNING");
      System.setProperty(CONFIGURED_BY_CLASS, LogSetup.class.getName());
    }
  }
}
