package dev.peregrine.base;

import java.math.BigDecimal;
import java.time.Duration;

/** Times in texts for people: {@code 1.5 s}, {@code 20 ms}, {@code 30 days}. */
public final class TimeText {
  private static final int NANO_DIGITS = 9;
  private static final int MILLI_DIGITS = 3;

  private TimeText() {}

  /**
   * Returns a time in seconds; in milliseconds if it is shorter than one, in days if it is several
   * of them.
   */
  public static String of(Duration time) {
    if (time.toDays() > 1 && time.equals(Duration.ofDays(time.toDays()))) {
      return time.toDays() + " days";
    }
    BigDecimal seconds =
        BigDecimal.valueOf(time.getSeconds()).add(BigDecimal.valueOf(time.getNano(), NANO_DIGITS));
    boolean isShort = seconds.signum() != 0 && seconds.abs().compareTo(BigDecimal.ONE) < 0;
    BigDecimal number = isShort ? seconds.movePointRight(MILLI_DIGITS) : seconds;
    return number.stripTrailingZeros().toPlainString() + (isShort ? " ms" : " s");
  }
}
