package dev.peregrine.http.files;

import dev.peregrine.protocol.ListSyntax;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range of bytes that a client requests (RFC 9110 section 14).
 *
 * @param from index of the first byte
 * @param to index after the last byte
 */
record ByteRange(long from, long to) {
  /**
   * The largest number of ranges that are served. For more, the whole representation is sent, as
   * RFC 9110 section 14.2 permits.
   */
  static final int RANGES_MAX = 32;

  private static final String UNIT = "bytes=";
  private static final int DIGITS_MAX = 18; // a longer number is beyond the end of every file
  private static final long ABSENT = -1;
  private static final long MALFORMED = -2;

  long bytes() {
    return to - from;
  }

  /** Returns the value of Content-Range. */
  String of(long size) {
    return "bytes " + from + "-" + (to - 1) + "/" + size;
  }

  /**
   * Returns the ranges of a field value that lie within a representation of that size: in the
   * requested order if they are disjoint, otherwise joined and sorted, so that no byte is sent
   * twice.
   *
   * @return null if the field is to be ignored; empty if none of them can be satisfied
   */
  static @Nullable List<ByteRange> parse(String value, long size) {
    if (!value.regionMatches(true, 0, UNIT, 0, UNIT.length())) {
      return null;
    }
    List<String> specs = ListSyntax.split(value.substring(UNIT.length()), ',');
    if (specs.isEmpty() || specs.size() > RANGES_MAX) {
      return null;
    }
    List<ByteRange> ranges = new ArrayList<>(specs.size());
    for (String spec : specs) {
      ByteRange range = parseOne(spec, size);
      if (range == null) {
        return null;
      }
      if (range.from < range.to) {
        ranges.add(range);
      }
    }
    return apart(ranges);
  }

  /** Parses a range-spec: null if it is malformed, an empty range if it can't be satisfied. */
  private static @Nullable ByteRange parseOne(String spec, long size) {
    int dash = spec.indexOf('-');
    if (dash < 0) {
      return null;
    }
    long first = number(spec, 0, dash);
    long last = number(spec, dash + 1, spec.length());
    if (first == MALFORMED || last == MALFORMED || (first == ABSENT && last == ABSENT)) {
      return null;
    }
    if (first == ABSENT) {
      return new ByteRange(Math.max(size - last, 0), size);
    }
    if (last != ABSENT && last < first) {
      return null;
    }
    return new ByteRange(first, last == ABSENT ? size : Math.min(last + 1, size));
  }

  private static long number(String text, int from, int to) {
    if (from == to) {
      return ABSENT;
    }
    long value = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return MALFORMED;
      }
      value = i - from < DIGITS_MAX ? value * 10 + c - '0' : Long.MAX_VALUE - 1;
    }
    return value;
  }

  private static List<ByteRange> apart(List<ByteRange> ranges) {
    if (ranges.size() < 2) {
      return ranges;
    }
    List<ByteRange> sorted = new ArrayList<>(ranges);
    sorted.sort(Comparator.comparingLong(ByteRange::from));
    List<ByteRange> joined = new ArrayList<>(sorted.size());
    for (ByteRange range : sorted) {
      ByteRange before = joined.isEmpty() ? null : joined.getLast();
      if (before != null && range.from <= before.to) {
        joined.set(joined.size() - 1, new ByteRange(before.from, Math.max(before.to, range.to)));
      } else {
        joined.add(range);
      }
    }
    return joined.size() == ranges.size() ? ranges : joined;
  }
}
