package dev.peregrine.parser.value;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;

/** The elements of a comma-separated list; empty ones are skipped (RFC 9110 section 5.6.1). */
public final class ListElements {
  private ListElements() {}

  /** Returns the start of the first element at or after {@code at}, or {@code end}. */
  public static long next(MemorySegment bytes, long at, long end) {
    long start = at;
    while (start < end && isSeparator(Memory.byteAt(bytes, start))) {
      start++;
    }
    return start;
  }

  /** Returns the end of the element that starts here, without whitespace after it. */
  public static long end(MemorySegment bytes, long start, long end) {
    long at = start;
    long last = start;
    while (at < end && Memory.byteAt(bytes, at) != ',') {
      if (!Ascii.isBlank(Memory.byteAt(bytes, at++))) {
        last = at;
      }
    }
    return last;
  }

  /** Returns true if the range is the given lower-case ASCII text in any case. */
  public static boolean equal(MemorySegment bytes, long start, long end, String text) {
    if (end - start != text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      byte value = Memory.byteAt(bytes, start + i);
      boolean capital = value >= 'A' && value <= 'Z';
      if ((capital ? value | Ascii.CASE_BIT : value) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSeparator(byte value) {
    return value == ',' || Ascii.isBlank(value);
  }
}
