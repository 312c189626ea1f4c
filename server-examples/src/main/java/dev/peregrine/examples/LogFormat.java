package dev.peregrine.examples;

/** Sets java.util.logging, which {@link System.Logger} goes to, to one line per record. */
final class LogFormat {
  private static final String FORMAT = "java.util.logging.SimpleFormatter.format";
  private static final String TIME_LEVEL_NAME_TEXT = "%1$tF %1$tT %4$s %3$s: %5$s%6$s%n";

  private LogFormat() {}

  /**
   * Sets the format, unless the user has set one or a configuration. It is read with the first
   * record; no class of the log is loaded before.
   */
  static void install() {
    if (System.getProperty("java.util.logging.config.file") == null
        && System.getProperty("java.util.logging.config.class") == null
        && System.getProperty(FORMAT) == null) {
      System.setProperty(FORMAT, TIME_LEVEL_NAME_TEXT);
    }
  }
}
