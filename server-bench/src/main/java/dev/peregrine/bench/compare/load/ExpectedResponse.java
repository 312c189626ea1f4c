package dev.peregrine.bench.compare.load;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The response that a server must send each time: the first one, which was checked. Only the value
 * of Date may differ. Immutable.
 */
final class ExpectedResponse {
  private static final String DATE = "\r\ndate:";

  private final MemorySegment bytes;
  private final int length;
  private final int dateFrom;
  private final int dateTo;

  /** Expects responses like this one, which has a Date. */
  ExpectedResponse(byte[] first) {
    String text = new String(first, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    bytes = MemorySegment.ofArray(first);
    length = first.length;
    dateFrom = text.indexOf(DATE) + DATE.length();
    dateTo = text.indexOf("\r\n", dateFrom);
  }

  /** Returns the length of one response. */
  int length() {
    return length;
  }

  /**
   * Returns true if bytes continue a series of such responses.
   *
   * @param offset the number of bytes of the series that were received before
   */
  boolean goesOn(MemorySegment received, int count, int offset) {
    int at = 0;
    while (at < count) {
      int position = (offset + at) % length;
      int run = Math.min(partEnd(position) - position, count - at);
      if (!isDate(position)
          && MemorySegment.mismatch(received, at, at + run, bytes, position, position + run) >= 0) {
        return false;
      }
      at += run;
    }
    return true;
  }

  private boolean isDate(int position) {
    return position >= dateFrom && position < dateTo;
  }

  private int partEnd(int position) {
    if (position < dateFrom) {
      return dateFrom;
    }
    return position < dateTo ? dateTo : length;
  }
}
