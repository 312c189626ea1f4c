package dev.peregrine.base;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Text of protocol elements: one byte, one character. */
public final class Latin1 {
  private static final int CASE_BIT = 0x20;
  private static final int LAST = 0xFF;
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Latin1() {}

  /** Returns a range as text. */
  public static String string(MemorySegment bytes, int from, int to) {
    return Scratch.text(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  /** Compares by words, of which the last two may overlap, unless the text is shorter than one. */
  public static boolean equals(MemorySegment bytes, int from, int to, String text) {
    if (to - from != text.length()) {
      return false;
    }
    int last = text.length() - Long.BYTES;
    if (last < 0) {
      return equalsOneByOne(bytes, from, text);
    }
    for (int i = 0; i < last; i += Long.BYTES) {
      if (!isWord(bytes, from, text, i)) {
        return false;
      }
    }
    return isWord(bytes, from, text, last);
  }

  private static boolean isWord(MemorySegment bytes, int from, String text, int at) {
    long word = 0;
    int all = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      char c = text.charAt(at + i);
      all |= c;
      word |= (long) c << (i * Byte.SIZE);
    }
    return all <= LAST && word == bytes.get(WORD, from + at);
  }

  private static boolean equalsOneByOne(MemorySegment bytes, int from, String text) {
    for (int i = 0; i < text.length(); i++) {
      if ((bytes.get(ValueLayout.JAVA_BYTE, from + i) & 0xFF) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Compares tokens; only ASCII letters are equal in both cases. */
  public static boolean equalsIgnoreCase(MemorySegment bytes, int from, int to, CharSequence text) {
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
  public static boolean equalsIgnoreCase(byte[] bytes, int from, int to, String text) {
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
