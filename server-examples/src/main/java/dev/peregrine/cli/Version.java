package dev.peregrine.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** The version of this program, as its build has recorded it. */
final class Version {
  private Version() {}

  /** Returns the version, the commit that it was built from, and the VM that runs it, by lines. */
  static String describe() {
    Properties build = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      build.load(Objects.requireNonNull(in, "version.properties"));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return "Peregrine %s (commit %s)%nJDK %s (%s), %s %s%n"
        .formatted(
            build.getProperty("version"),
            build.getProperty("commit"),
            Runtime.version(),
            System.getProperty("java.vendor"),
            System.getProperty("os.name"),
            System.getProperty("os.arch"));
  }
}
