package dev.peregrine.examples;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.logging.LogManager;

/** Sets java.util.logging, which {@link System.Logger} goes to, to one line per record. */
final class LogFormat {
  private LogFormat() {}

  /** Reads {@code logging.properties} beside this class, unless the user has given another. */
  static void install() {
    if (System.getProperty("java.util.logging.config.file") != null) {
      return;
    }
    try (InputStream in = LogFormat.class.getResourceAsStream("logging.properties")) {
      LogManager.getLogManager().readConfiguration(Objects.requireNonNull(in));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
