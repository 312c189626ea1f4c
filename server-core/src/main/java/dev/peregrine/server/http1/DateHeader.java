package dev.peregrine.server.http1;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The value of Date (RFC 9110 section 6.6.1) in the preferred format, IMF-fixdate. */
final class DateHeader {
  /** Length of every value in bytes. */
  static final int BYTES = 29;

  private static final DateTimeFormatter IMF_FIXDATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private DateHeader() {}

  static String format(long epochSecond) {
    return IMF_FIXDATE.format(Instant.ofEpochSecond(epochSecond));
  }
}
