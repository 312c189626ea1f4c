package dev.peregrine.http.files;

import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Dates of fields (RFC 9110 section 5.6.7), in seconds since 1970. */
final class HttpDate {
  /** Returned for what isn't a date. */
  static final long INVALID = Long.MIN_VALUE;

  private static final DateTimeFormatter IMF_FIXDATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);
  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");
  private static final int IMF_FIXDATE_LENGTH = 29;
  private static final int ASCTIME_LENGTH = 24;
  private static final int RFC_850_LENGTH = 24; // without the day's name
  private static final int YEARS_AHEAD_MAX = 50;
  private static final int SECONDS_PER_DAY = 86_400;

  private HttpDate() {}

  static String format(long epochSecond) {
    return IMF_FIXDATE.format(Instant.ofEpochSecond(epochSecond));
  }

  /** Reads a date in any of the three formats; the name of the day is not looked at. */
  static long parse(String text) {
    int comma = text.indexOf(',');
    if (comma == 3 && text.length() == IMF_FIXDATE_LENGTH) {
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

  /** A year of two digits that seems to be more than 50 years ahead was meant to be past. */
  private static int fullYear(int twoDigits) {
    int now = LocalDate.now(ZoneOffset.UTC).getYear();
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
    if (day > YearMonth.of(year, monthNumber).lengthOfMonth()) {
      return INVALID;
    }
    long days = LocalDate.of(year, monthNumber, day).toEpochDay();
    return days * SECONDS_PER_DAY + hour * 3600L + minute * 60L + second;
  }

  /** Digits only; negative if there is anything else. */
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
