package dev.peregrine.cli.options;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times and sizes as they are written in options. */
final class Quantity {
  private static final Pattern FORM = Pattern.compile("(\\d{1,18})([A-Za-z]*)");
  private static final int BINARY = 1024;

  private Quantity() {}

  /**
   * Reads a time: a number and {@code ms}, {@code s}, {@code m}, {@code h} or {@code d}, or 0.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  static Duration time(OptionValue setting) {
    Matcher form = FORM.matcher(setting.value());
    if (form.matches()) {
      try {
        long number = Long.parseLong(form.group(1));
        Duration time =
            switch (form.group(2)) {
              case "ms" -> Duration.ofMillis(number);
              case "s" -> Duration.ofSeconds(number);
              case "m" -> Duration.ofMinutes(number);
              case "h" -> Duration.ofHours(number);
              case "d" -> Duration.ofDays(number);
              default -> null;
            };
        if (time != null) {
          return time;
        }
        if (number == 0 && form.group(2).isEmpty()) {
          return Duration.ZERO;
        }
      } catch (ArithmeticException tooLong) {
        // reported below
      }
    }
    throw setting.mustBe("a time such as 500ms, 30s, 5m or 1h");
  }

  /**
   * Reads a count or size: a number, with {@code KiB}, {@code MiB} or {@code GiB} if it is one of
   * bytes.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  static long count(OptionValue setting) {
    Matcher form = FORM.matcher(setting.value());
    if (form.matches()) {
      try {
        long number = Long.parseLong(form.group(1));
        long unit =
            switch (form.group(2)) {
              case "" -> 1;
              case "KiB" -> BINARY;
              case "MiB" -> BINARY * BINARY;
              case "GiB" -> BINARY * BINARY * BINARY;
              default -> 0;
            };
        if (unit > 0) {
          return Math.multiplyExact(number, unit);
        }
      } catch (ArithmeticException tooMany) {
        // reported below
      }
    }
    throw setting.mustBe("a number such as 1000, 64KiB or 8MiB");
  }

  /** Writes a time as {@link #time} reads it. */
  static String text(Duration time) {
    long millis = time.toMillis();
    if (millis % Duration.ofSeconds(1).toMillis() != 0) {
      return millis + "ms";
    }
    return time.toSeconds() + "s";
  }
}
