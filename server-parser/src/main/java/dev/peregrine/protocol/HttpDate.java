package dev.peregrine.protocol;

import java.time.LocalDate;
import java.util.List;

/**
 * Dates of fields (RFC 9110 section 5.6.7), in seconds since 1970. Written by hand: the first use
 * of a {@code DateTimeFormatter} with names loads the locale data while the server starts. And a
 * question for a leap year initialises {@code java.time.Year}, which takes memory. If there is none
 * at the first response, that class, and each later response with it, fails for good.
 */
public final class HttpDate {
  /** The length of every formatted date, in bytes. */
  public static final int BYTES = 29;

  /** Returned for a text that isn't a date. */
  public static final long INVALID = Long.MIN_VALUE;

  /** 0000-01-01T00:00:00Z. */
  private static final long FIRST = -62_167_219_200L;

  /** 9999-12-31T23:59:59Z. */
  private static final long LAST = 253_402_300_799L;

  private static final List<String> DAYS = List.of("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun");
  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");
  private static final int THURSDAY = 3; // 1970-01-01, among the days
  private static final int DAYS_TO_1970 = 719_468; // from 0000-03-01
  private static final int ASCTIME_LENGTH = 24;
  private static final int RFC_850_LENGTH = 24; // without the day's name
  private static final int YEARS_AHEAD_MAX = 50;
  private static final int SECONDS_PER_DAY = 86_400;

  private HttpDate() {}

  /**
   * Writes a date in the preferred format, IMF-fixdate. A time before the year 0 or after 9999 is
   * written as the nearest time with a year of four digits.
   */
  public static String format(long epochSecond) {
    long second = Math.clamp(epochSecond, FIRST, LAST);
    long day = Math.floorDiv(second, (long) SECONDS_PER_DAY);
    int ofDay = Math.floorMod(second, SECONDS_PER_DAY);
    LocalDate date = LocalDate.ofEpochDay(day);
    StringBuilder text = new StringBuilder(BYTES);
    text.append(DAYS.get(Math.floorMod(day + THURSDAY, DAYS.size()))).append(", ");
    twoDigits(date.getDayOfMonth(), text).append(' ');
    text.append(MONTHS.get(date.getMonthValue() - 1)).append(' ');
    twoDigits(date.getYear() / 100, text);
    twoDigits(date.getYear() % 100, text).append(' ');
    twoDigits(ofDay / 3600, text).append(':');
    twoDigits(ofDay / 60 % 60, text).append(':');
    return twoDigits(ofDay % 60, text).append(" GMT").toString();
  }

  private static StringBuilder twoDigits(int number, StringBuilder text) {
    return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }

  /** Reads a date in any of the three formats; the name of the day is ignored. */
  public static long parse(String text) {
    int comma = text.indexOf(',');
    if (comma == 3 && text.length() == BYTES) {
      // Sun, 06 Nov 1994 08:49:37 GMT
      return text.endsWith(" GMT")
          ? seconds(number(text, 12, 16), text.substring(8, 11), number(text, 5, 7), text, 17)
          : INVALID;
    }
    if (comma > 0 && text.length() == comma + RFC_850_LENGTH && text.endsWith(" GMT")) {
      // Sunday, 06-Nov-94 08:49:37 GMT
      int day = number(text, comma + 2, comma + 4);
      String month = text.substring(comma + 5, comma + 8);
      int year = number(text, comma + 9, comma + 11);
      return seconds(fullYear(year), month, day, text, comma + 12);
    }
    if (comma < 0 && text.length() == ASCTIME_LENGTH) {
      // Sun Nov  6 08:49:37 1994
      int day = number(text, text.charAt(8) == ' ' ? 9 : 8, 10);
      return seconds(number(text, 20, 24), text.substring(4, 7), day, text, 11);
    }
    return INVALID;
  }

  /**
   * Returns the full year. A year of two digits that seems to be more than 50 years ahead is in the
   * past.
   */
  private static int fullYear(int twoDigits) {
    long today = Math.floorDiv(System.currentTimeMillis(), 1000L * SECONDS_PER_DAY);
    int now = LocalDate.ofEpochDay(today).getYear();
    int year = now - now % 100 + twoDigits;
    return twoDigits < 0 ? twoDigits : year > now + YEARS_AHEAD_MAX ? year - 100 : year;
  }

  private static long seconds(int year, String month, int day, String text, int timeAt) {
    int monthNumber = MONTHS.indexOf(month) + 1;
    int hour = number(text, timeAt, timeAt + 2);
    int minute = number(text, timeAt + 3, timeAt + 5);
    int second = number(text, timeAt + 6, timeAt + 8);
    boolean separated = text.charAt(timeAt + 2) == ':' && text.charAt(timeAt + 5) == ':';
    boolean inRange =
        year >= 0 && monthNumber > 0 && day > 0 && hour >= 0 && minute >= 0 && second >= 0;
    if (!separated || !inRange || hour > 23 || minute > 59 || second > 60) {
      return INVALID;
    }
    long before = daysBefore(year, monthNumber);
    if (before + day > daysBefore(year, monthNumber + 1)) {
      return INVALID;
    }
    return (before + day - 1) * SECONDS_PER_DAY + hour * 3600L + minute * 60L + second;
  }

  /** Returns the days from 1970 to the begin of a month, 1 to 13. A year counts from its March. */
  private static long daysBefore(int year, int month) {
    int march = month > 2 ? year : year - 1;
    int months = month > 2 ? month - 3 : month + 9; // since March
    int leapDays = Math.floorDiv(march, 4) - Math.floorDiv(march, 100);
    long years = 365L * march + leapDays + Math.floorDiv(march, 400);
    return years + (153 * months + 2) / 5 - DAYS_TO_1970;
  }

  /** Parses digits; negative if the range has any other character. */
  private static int number(String text, int from, int to) {
    int value = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      value = value * 10 + c - '0';
    }
    return value;
  }
}
