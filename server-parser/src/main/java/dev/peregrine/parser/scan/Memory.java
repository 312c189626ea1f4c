package dev.peregrine.parser.scan;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * Unaligned loads and stores in a fixed byte order: the first byte in memory is the lowest of the
 * word on every machine, so words can be compared with {@link #word}.
 */
public final class Memory {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);
  private static final ValueLayout.OfChar CHAR =
      ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(LITTLE_ENDIAN);

  private static final VarHandle ARRAY_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);

  /**
   * All native memory, in which an index is an address; empty without native access. Its loads need
   * no checks, because the compiler knows the constant's bounds: a load is one instruction. A load
   * from a segment that the compiler doesn't know takes a dozen.
   */
  public static final MemorySegment ALL = all();

  private static final long ADDRESS_BITS = Long.MAX_VALUE >>> 1;

  private Memory() {}

  @SuppressWarnings("restricted") // the caller of a parse defines which bytes may be loaded
  private static MemorySegment all() {
    return Memory.class.getModule().isNativeAccessEnabled()
        ? MemorySegment.NULL.reinterpret(Long.MAX_VALUE)
        : MemorySegment.NULL;
  }

  /** Returns true if a segment is accessible by its address in {@link #ALL}. */
  public static boolean isInAll(MemorySegment bytes) {
    return ALL.byteSize() != 0 && bytes.isNative();
  }

  /**
   * Returns true if it is the segment {@link #ALL} itself, which the compiler then treats as a
   * constant.
   */
  @SuppressWarnings({"MemorySegmentReferenceEquality", "ReferenceEquality"}) // compared by identity
  public static boolean isAll(MemorySegment bytes) {
    return bytes == ALL;
  }

  /**
   * Returns the address of a byte of a segment that {@link #isInAll}; the result is {@link
   * #inRange}.
   */
  public static long address(MemorySegment bytes, long at) {
    return inRange(bytes.address() + at);
  }

  /**
   * Returns the same index, which isn't near the ends of {@link #ALL}. After this call the compiler
   * knows that, and doesn't check loads around it.
   */
  public static long inRange(long index) {
    return index & ADDRESS_BITS;
  }

  /**
   * Returns the same segment, as a constant if the compiler has only seen {@link #ALL} in this
   * place.
   */
  public static MemorySegment known(MemorySegment bytes) {
    return isAll(bytes) ? ALL : bytes;
  }

  public static byte byteAt(MemorySegment bytes, long at) {
    return isAll(bytes) ? ALL.get(ValueLayout.JAVA_BYTE, at) : bytes.get(ValueLayout.JAVA_BYTE, at);
  }

  /** Returns two bytes as an unsigned value. */
  public static int shortAt(MemorySegment bytes, long at) {
    return isAll(bytes) ? ALL.get(CHAR, at) : bytes.get(CHAR, at);
  }

  public static int intAt(MemorySegment bytes, long at) {
    return isAll(bytes) ? ALL.get(INT, at) : bytes.get(INT, at);
  }

  public static long longAt(MemorySegment bytes, long at) {
    return isAll(bytes) ? ALL.get(LONG, at) : bytes.get(LONG, at);
  }

  public static void putByte(MemorySegment bytes, long at, byte value) {
    if (isAll(bytes)) {
      ALL.set(ValueLayout.JAVA_BYTE, at, value);
    } else {
      bytes.set(ValueLayout.JAVA_BYTE, at, value);
    }
  }

  public static void putInt(MemorySegment bytes, long at, int value) {
    if (isAll(bytes)) {
      ALL.set(INT, at, value);
    } else {
      bytes.set(INT, at, value);
    }
  }

  public static void putLong(MemorySegment bytes, long at, long value) {
    if (isAll(bytes)) {
      ALL.set(LONG, at, value);
    } else {
      bytes.set(LONG, at, value);
    }
  }

  /** Like {@link #longAt(MemorySegment, long)}, in an array. */
  public static long longAt(byte[] bytes, int at) {
    return (long) ARRAY_LONG.get(bytes, at);
  }

  /**
   * Returns up to eight ASCII characters as {@link #longAt} loads them; the bytes above are zero.
   */
  public static long word(String text) {
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    long word = 0;
    for (int i = 0; i < ascii.length; i++) {
      word |= (long) ascii[i] << (Byte.SIZE * i);
    }
    return word;
  }
}
