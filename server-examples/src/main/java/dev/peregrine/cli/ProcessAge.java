package dev.peregrine.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The time since this process was started. {@link ProcessHandle} knows the start to a second only,
 * and by a clock that may be set.
 */
final class ProcessAge {
  private static final int START_FIELD = 22; // of /proc/self/stat, in ticks since the boot
  private static final int FIRST_FIELD_AFTER_NAME = 3;
  private static final int TICK_MILLIS = 10;

  private ProcessAge() {}

  /** Returns the age to 10 ms on Linux; elsewhere the time since {@code mainNanos}. */
  static Duration since(long mainNanos) {
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      long start = Long.parseLong(fields[START_FIELD - FIRST_FIELD_AFTER_NAME]) * TICK_MILLIS;
      String uptime = Files.readString(Path.of("/proc/uptime"));
      // as whole hundredths: the JDK's code for fractions would be loaded for this alone
      String hundredths = uptime.substring(0, uptime.indexOf(' ')).replace(".", "");
      return Duration.ofMillis(Long.parseLong(hundredths) * TICK_MILLIS - start);
    } catch (IOException | RuntimeException noSuchFiles) {
      return Duration.ofNanos(System.nanoTime() - mainNanos);
    }
  }
}
