package dev.peregrine.parser.hpack;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Stores and copies of whole words in byte arrays, which need room after their last byte. */
final class Words {
  /** The bytes after the end of a copy that may be read and overwritten. */
  static final int SLACK = 32;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle BIG_ENDIAN_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private Words() {}

  /** Stores eight bytes, the lowest first. */
  static void putLong(byte[] out, int at, long word) {
    LONG.set(out, at, word);
  }

  /** Stores two bytes, the lower first. */
  static void putShort(byte[] out, int at, int word) {
    SHORT.set(out, at, (short) word);
  }

  /** Stores four bytes, the highest first. */
  static void putBigEndianInt(byte[] out, int at, int word) {
    BIG_ENDIAN_INT.set(out, at, word);
  }

  /**
   * Copies bytes between two arrays that have {@link #SLACK} bytes of room after them. Most names
   * with their values are short, so that this copy has no loop.
   */
  static void copy(byte[] source, int from, byte[] out, int at, int length) {
    LONG.set(out, at, (long) LONG.get(source, from));
    LONG.set(out, at + 8, (long) LONG.get(source, from + 8));
    LONG.set(out, at + 16, (long) LONG.get(source, from + 16));
    LONG.set(out, at + 24, (long) LONG.get(source, from + 24));
    if (length > SLACK) {
      System.arraycopy(source, from + SLACK, out, at + SLACK, length - SLACK);
    }
  }
}
