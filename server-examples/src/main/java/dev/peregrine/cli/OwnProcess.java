package dev.peregrine.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Facts of this process that Linux has in {@code /proc/self/stat}. */
final class OwnProcess {
  private static final int TERMINAL_FIELD = 7; // its device; 0 for none
  private static final int START_FIELD = 22; // in ticks since the boot
  private static final int FIRST_FIELD_AFTER_NAME = 3;
  private static final int TICK_MILLIS = 10;

  private OwnProcess() {}

  /**
   * Returns the time since this process was started, to 10 ms on Linux; elsewhere the time since
   * {@code mainNanos}. {@link ProcessHandle} knows the start to a second only, and by a clock that
   * may be set.
   */
  static Duration age(long mainNanos) {
    try {
      long start = field(START_FIELD) * TICK_MILLIS;
      String uptime = Files.readString(Path.of("/proc/uptime"));
      // as whole hundredths: the JDK's code for fractions would be loaded for this alone
      String hundredths = uptime.substring(0, uptime.indexOf(' ')).replace(".", "");
      return Duration.ofMillis(Long.parseLong(hundredths) * TICK_MILLIS - start);
    } catch (IOException | RuntimeException noSuchFiles) {
      return Duration.ofNanos(System.nanoTime() - mainNanos);
    }
  }

  /** Returns true if a terminal controls this process; false if that isn't known. */
  static boolean hasTerminal() {
    try {
      return field(TERMINAL_FIELD) != 0;
    } catch (IOException | RuntimeException noSuchFiles) {
      return false;
    }
  }

  private static long field(int number) throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return Long.parseLong(fields[number - FIRST_FIELD_AFTER_NAME]);
  }
}
