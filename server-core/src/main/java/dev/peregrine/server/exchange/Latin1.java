package dev.peregrine.server.exchange;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Text of protocol elements: one byte, one character. */
public final class Latin1 {
  private static final int CASE_BIT = 0x20;

  private Latin1() {}

  /** Returns a range as text. */
  public static String string(MemorySegment bytes, int from, int to) {
    if (from == to) {
      return "";
    }
    byte[] copy = new byte[to - from];
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, from, copy, 0, copy.length);
    return new String(copy, StandardCharsets.ISO_8859_1);
  }

  static boolean equals(MemorySegment bytes, int from, int to, String text) {
    if (to - from != text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if ((bytes.get(ValueLayout.JAVA_BYTE, from + i) & 0xFF) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Compares tokens; only ASCII letters are equal in both cases. */
  static boolean equalsIgnoreCase(MemorySegment bytes, int from, int to, CharSequence text) {
    if (to - from != text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (lower(bytes.get(ValueLayout.JAVA_BYTE, from + i) & 0xFF) != lower(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** Like {@link #equalsIgnoreCase(MemorySegment, int, int, CharSequence)}, in an array. */
  static boolean equalsIgnoreCase(byte[] bytes, int from, int to, String text) {
    if (to - from != text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (lower(bytes[from + i] & 0xFF) != lower(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static int lower(int c) {
    return c >= 'A' && c <= 'Z' ? c | CASE_BIT : c;
  }
}
