package dev.peregrine.grpc;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The time that a client gives a call: up to eight digits and a unit. */
final class CallTimeout {
  private static final int DIGITS_MAX = 8;

  /** In place of a time: the text is not valid. */
  static final long MALFORMED = -1;

  private CallTimeout() {}

  /** Returns the time in nanoseconds, or {@link #MALFORMED}. */
  static long nanos(String text) {
    int digits = text.length() - 1;
    TimeUnit unit = digits < 1 ? null : unit(text.charAt(digits));
    if (unit == null || digits > DIGITS_MAX) {
      return MALFORMED;
    }
    long value = 0;
    for (int i = 0; i < digits; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return MALFORMED;
      }
      value = 10 * value + digit;
    }
    return unit.toNanos(value);
  }

  private static @Nullable TimeUnit unit(char symbol) {
    return switch (symbol) {
      case 'H' -> TimeUnit.HOURS;
      case 'M' -> TimeUnit.MINUTES;
      case 'S' -> TimeUnit.SECONDS;
      case 'm' -> TimeUnit.MILLISECONDS;
      case 'u' -> TimeUnit.MICROSECONDS;
      case 'n' -> TimeUnit.NANOSECONDS;
      default -> null;
    };
  }
}
