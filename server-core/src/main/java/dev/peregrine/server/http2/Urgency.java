package dev.peregrine.server.http2;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The priority of a response (RFC 9218): an urgency of 0 to 7 and the incremental flag. Responses
 * of the same urgency are sent in turns, except that one with a priority that isn't incremental is
 * sent before the others that came after it.
 */
final class Urgency {
  private static final int DEFAULT = 3;
  private static final int LEAST = 7;

  private int level = DEFAULT;
  private boolean inTurns = true;

  /** Sets the priority of a response whose client has set none. */
  void reset() {
    level = DEFAULT;
    inTurns = true;
  }

  /** Returns the urgency; 0 is the most urgent. */
  int level() {
    return level;
  }

  /** Returns true if responses of the same urgency are sent in turns with this one. */
  boolean isInTurns() {
    return inTurns;
  }

  /**
   * Sets the priority that a field value names, a dictionary (RFC 9218 section 4). Members that
   * can't be read have their default.
   */
  void set(MemorySegment bytes, long from, long to) {
    level = DEFAULT;
    inTurns = false;
    long at = from;
    while (at < to) {
      long end = at;
      while (end < to && byteAt(bytes, end) != ',') {
        end++;
      }
      while (at < end && isBlank(byteAt(bytes, at))) {
        at++;
      }
      member(bytes, at, end);
      at = end + 1;
    }
  }

  private void member(MemorySegment bytes, long from, long to) {
    long length = to - from;
    if (length >= 3 && byteAt(bytes, from) == 'u' && byteAt(bytes, from + 1) == '=') {
      int digit = byteAt(bytes, from + 2) - '0';
      boolean one = length == 3 || !isDigit(byteAt(bytes, from + 3));
      if (one && digit >= 0 && digit <= LEAST) {
        level = digit;
      }
    } else if (length >= 1 && byteAt(bytes, from) == 'i') {
      boolean isFalse =
          length >= 4 && byteAt(bytes, from + 1) == '=' && byteAt(bytes, from + 3) == '0';
      boolean isOther = length >= 2 && byteAt(bytes, from + 1) > '=';
      inTurns |= !isFalse && !isOther;
    }
  }

  private static boolean isDigit(byte value) {
    return value >= '0' && value <= '9';
  }

  private static boolean isBlank(byte value) {
    return value == ' ' || value == '\t';
  }

  private static byte byteAt(MemorySegment bytes, long at) {
    return bytes.get(ValueLayout.JAVA_BYTE, at);
  }
}
