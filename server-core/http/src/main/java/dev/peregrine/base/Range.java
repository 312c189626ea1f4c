package dev.peregrine.base;

import java.time.Duration;

/** Checks of options that are numbers or times. The exceptions name the option and its range. */
public final class Range {
  private static final Duration TIME_MOST = Duration.ofDays(36_500);

  private Range() {}

  /**
   * Returns the value.
   *
   * @throws IllegalArgumentException if the value is out of the range
   */
  public static int check(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          option + " is " + value + ", but must be " + least + " to " + most);
    }
    return value;
  }

  /**
   * Checks a number without an upper limit.
   *
   * @throws IllegalArgumentException if the value is less than {@code least}
   */
  public static void checkAtLeast(String option, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          option + " is " + value + ", but must be at least " + least);
    }
  }

  /**
   * Checks a time that may be zero.
   *
   * @throws IllegalArgumentException if the time is negative, or above 36,500 days
   */
  public static void checkNotNegative(String option, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(
          option + " is " + TimeText.of(value) + ", but must not be negative");
    }
    checkNotTooLong(option, value);
  }

  /**
   * Checks a time.
   *
   * @throws IllegalArgumentException if the time is negative or zero, or above 36,500 days
   */
  public static void checkPositive(String option, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(
          option + " is " + TimeText.of(value) + ", but must be positive");
    }
    checkNotTooLong(option, value);
  }

  /** Checks that deadlines in nanoseconds can't overflow, which they do after 292 years. */
  private static void checkNotTooLong(String option, Duration value) {
    if (value.compareTo(TIME_MOST) > 0) {
      throw new IllegalArgumentException(
          option + " is " + TimeText.of(value) + ", but must be at most " + TimeText.of(TIME_MOST));
    }
  }
}
