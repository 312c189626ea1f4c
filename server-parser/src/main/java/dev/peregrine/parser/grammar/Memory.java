package dev.peregrine.parser.grammar;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Unaligned loads in a fixed byte order: the first byte in memory is the lowest of the word on
 * every machine, so words can be compared with {@link #word}.
 */
public final class Memory {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LITTLE_ENDIAN);

  private Memory() {}

  public static byte byteAt(MemorySegment bytes, int at) {
    return bytes.get(ValueLayout.JAVA_BYTE, at);
  }

  /** Two bytes as an unsigned value. */
  public static int shortAt(MemorySegment bytes, int at) {
    return bytes.get(SHORT, at) & 0xFFFF;
  }

  public static long longAt(MemorySegment bytes, int at) {
    return bytes.get(LONG, at);
  }

  /** Up to eight ASCII characters as {@link #longAt} loads them; the bytes above are zero. */
  public static long word(String text) {
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    long word = 0;
    for (int i = 0; i < ascii.length; i++) {
      word |= (long) ascii[i] << (Byte.SIZE * i);
    }
    return word;
  }
}
