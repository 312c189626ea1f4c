package dev.peregrine.server.http1;

import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * The value of Date (RFC 9110 section 6.6.1) in the preferred format, IMF-fixdate. Written by hand:
 * the first use of a {@code DateTimeFormatter} with names loads the locale data while the server
 * starts.
 */
final class DateHeader {
  /** Length of every value in bytes. */
  static final int BYTES = 29;

  private static final String DAYS = "MonTueWedThuFriSatSun";
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final int NAME_LENGTH = 3;

  private DateHeader() {}

  /** The time in a year of four digits. */
  static String format(long epochSecond) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(epochSecond, 0, ZoneOffset.UTC);
    StringBuilder text = new StringBuilder(BYTES);
    name(DAYS, time.getDayOfWeek().getValue(), text).append(", ");
    twoDigits(time.getDayOfMonth(), text).append(' ');
    name(MONTHS, time.getMonthValue(), text).append(' ');
    twoDigits(time.getYear() / 100, text);
    twoDigits(time.getYear() % 100, text).append(' ');
    twoDigits(time.getHour(), text).append(':');
    twoDigits(time.getMinute(), text).append(':');
    return twoDigits(time.getSecond(), text).append(" GMT").toString();
  }

  private static StringBuilder name(String names, int number, StringBuilder text) {
    return text.append(names, NAME_LENGTH * (number - 1), NAME_LENGTH * number);
  }

  private static StringBuilder twoDigits(int number, StringBuilder text) {
    return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }
}
