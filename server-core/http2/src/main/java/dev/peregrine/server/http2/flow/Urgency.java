package dev.peregrine.server.http2.flow;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The priority of a response (RFC 9218): an urgency of 0 to 7 and the incremental flag. Responses
 * of the same urgency are sent in turns, except that one with a priority that isn't incremental is
 * sent before the others that came after it.
 */
public final class Urgency {
  private static final int DEFAULT = 3;
  private static final int LEAST = 7;

  private int level = DEFAULT;
  private boolean inTurns = true;

  /** Sets the priority of a response whose client has set none. */
  public void reset() {
    level = DEFAULT;
    inTurns = true;
  }

  /** Sets the priority to that of another response. */
  public void set(Urgency other) {
    level = other.level;
    inTurns = other.inTurns;
  }

  /** Returns the urgency; 0 is the most urgent. */
  public int level() {
    return level;
  }

  /** Returns true if responses of the same urgency are sent in turns with this one. */
  public boolean isInTurns() {
    return inTurns;
  }

  /**
   * Sets the priority that a field value names, a dictionary (RFC 9218 section 4). Members that
   * can't be read have their default.
   */
  public void set(MemorySegment bytes, long from, long to) {
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

  /** Reads one member, whose parameters are ignored, like values of another type or range. */
  private void member(MemorySegment bytes, long from, long to) {
    long end = from;
    while (end < to && byteAt(bytes, end) != ';') {
      end++;
    }
    while (end > from && isBlank(byteAt(bytes, end - 1))) {
      end--;
    }
    long length = end - from;
    if (length == 1) {
      inTurns |= byteAt(bytes, from) == 'i';
    } else if (length == 3 && startsWith("u=", bytes, from)) {
      int value = byteAt(bytes, from + 2) - '0';
      level = value >= 0 && value <= LEAST ? value : level;
    } else if (length == 4 && startsWith("i=?", bytes, from)) {
      byte value = byteAt(bytes, from + 3);
      inTurns = value == '1' || (inTurns && value != '0');
    }
  }

  private static boolean startsWith(String text, MemorySegment bytes, long from) {
    for (int i = 0; i < text.length(); i++) {
      if (byteAt(bytes, from + i) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isBlank(byte value) {
    return value == ' ' || value == '\t';
  }

  private static byte byteAt(MemorySegment bytes, long at) {
    return bytes.get(ValueLayout.JAVA_BYTE, at);
  }
}
