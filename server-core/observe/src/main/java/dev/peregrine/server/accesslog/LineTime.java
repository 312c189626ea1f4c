package dev.peregrine.server.accesslog;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * Writes times of a zone into lines. Keeps the text of the last second, the date of the last day,
 * and the offset until the zone's next transition. Used by one loop.
 */
final class LineTime {
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final byte[] BEFORE_TIME = LogTexts.bytes(" [");
  private static final byte[] AFTER_TIME = LogTexts.bytes("] \"");
  private static final int MONTH_LETTERS = 3;
  private static final int SECONDS_PER_DAY = 86_400;
  private static final int SECONDS_PER_HOUR = 3600;
  private static final int SECONDS_PER_MINUTE = 60;
  private static final int MILLIS_PER_SECOND = 1000;
  private static final int YEAR_DIGITS = 4;

  private final ZoneRules rules;
  private final boolean ncsa;
  private byte[] text = {}; // of the second
  private long second = Long.MIN_VALUE;
  private LocalDate date = LocalDate.EPOCH;
  private int offset; // seconds, from one transition to the next
  private long offsetFrom;
  private long offsetTo;

  private LineTime(ZoneId zone, boolean ncsa) {
    this.rules = zone.getRules();
    this.ncsa = ncsa;
  }

  /**
   * Returns times with what surrounds them in the common format, so that one copy writes it all:
   * {@code [10/Oct/2000:13:55:36 -0700] "}, with a space before.
   */
  static LineTime ncsa(ZoneId zone) {
    return new LineTime(zone, true);
  }

  /** Returns times like {@code 2000-10-10T20:55:36.123Z} (RFC 3339), in UTC. */
  static LineTime rfc3339() {
    return new LineTime(ZoneOffset.UTC, false);
  }

  /** Appends a time in milliseconds since 1970. */
  void write(long millis, Line line) {
    long secondOfMillis = Math.floorDiv(millis, MILLIS_PER_SECOND);
    if (secondOfMillis == second) {
      line.text(text);
    } else {
      int start = line.length;
      writeSecond(secondOfMillis, line);
      keep(secondOfMillis, line, start);
    }
    if (!ncsa) {
      line.character('.').digits(Math.floorMod(millis, MILLIS_PER_SECOND), 3).character('Z');
    }
  }

  private void keep(long keptSecond, Line line, int start) {
    int length = line.length - start;
    if (text.length != length) { // the first time: all have one length
      text = new byte[length];
    }
    System.arraycopy(line.bytes, start, text, 0, length);
    second = keptSecond;
  }

  private void writeSecond(long epochSecond, Line line) {
    long local = epochSecond + offsetAt(epochSecond);
    long day = Math.floorDiv(local, SECONDS_PER_DAY);
    if (date.toEpochDay() != day) {
      date = LocalDate.ofEpochDay(day);
    }
    int ofDay = Math.floorMod(local, SECONDS_PER_DAY);
    if (ncsa) {
      line.text(BEFORE_TIME).digits(date.getDayOfMonth(), 2).character('/');
      int month = (date.getMonthValue() - 1) * MONTH_LETTERS;
      for (int i = month; i < month + MONTH_LETTERS; i++) {
        line.character(MONTHS.charAt(i));
      }
      line.character('/').digits(date.getYear(), YEAR_DIGITS).character(':');
    } else {
      line.digits(date.getYear(), YEAR_DIGITS).character('-');
      line.digits(date.getMonthValue(), 2).character('-').digits(date.getDayOfMonth(), 2);
      line.character('T');
    }
    line.digits(ofDay / SECONDS_PER_HOUR, 2).character(':');
    line.digits(ofDay / SECONDS_PER_MINUTE % SECONDS_PER_MINUTE, 2).character(':');
    line.digits(ofDay % SECONDS_PER_MINUTE, 2);
    if (ncsa) {
      int minutes = Math.abs(offset) / SECONDS_PER_MINUTE;
      line.character(' ').character(offset < 0 ? '-' : '+');
      line.digits(minutes / SECONDS_PER_MINUTE, 2).digits(minutes % SECONDS_PER_MINUTE, 2);
      line.text(AFTER_TIME);
    }
  }

  private int offsetAt(long epochSecond) {
    if (epochSecond < offsetFrom || epochSecond >= offsetTo) {
      Instant instant = Instant.ofEpochSecond(epochSecond);
      ZoneOffsetTransition next = rules.nextTransition(instant);
      ZoneOffsetTransition last = rules.previousTransition(instant.plusSeconds(1));
      offset = rules.getOffset(instant).getTotalSeconds();
      offsetFrom = secondOf(last, Long.MIN_VALUE);
      offsetTo = secondOf(next, Long.MAX_VALUE);
    }
    return offset;
  }

  private static long secondOf(@Nullable ZoneOffsetTransition transition, long otherwise) {
    return transition == null ? otherwise : transition.toEpochSecond();
  }
}
