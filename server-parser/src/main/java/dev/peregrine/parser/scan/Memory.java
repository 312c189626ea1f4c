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
 *
 * <p>The assertion makes a load longer than the methods that C1 inlines. So in the first second,
 * when only C1 has compiled the callers, a load is a call of C2's code. Otherwise it would be some
 * thirty methods of the JDK in each place, which count their calls and branches.
 */
public final class Memory {
  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
  private static final VarHandle CHAR =
      ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(LITTLE_ENDIAN).varHandle();
  private static final VarHandle INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN).varHandle();
  private static final VarHandle LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN).varHandle();

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
    assert at >= 0 : at;
    return isAll(bytes) ? (byte) BYTE.get(ALL, at) : (byte) BYTE.get(bytes, at);
  }

  /** Returns two bytes as an unsigned value. */
  public static int shortAt(MemorySegment bytes, long at) {
    assert at >= 0 : at;
    return isAll(bytes) ? (char) CHAR.get(ALL, at) : (char) CHAR.get(bytes, at);
  }

  public static int intAt(MemorySegment bytes, long at) {
    assert at >= 0 : at;
    return isAll(bytes) ? (int) INT.get(ALL, at) : (int) INT.get(bytes, at);
  }

  public static long longAt(MemorySegment bytes, long at) {
    assert at >= 0 : at;
    return isAll(bytes) ? (long) LONG.get(ALL, at) : (long) LONG.get(bytes, at);
  }

  public static void putByte(MemorySegment bytes, long at, byte value) {
    if (isAll(bytes)) {
      BYTE.set(ALL, at, value);
    } else {
      BYTE.set(bytes, at, value);
    }
  }

  public static void putInt(MemorySegment bytes, long at, int value) {
    if (isAll(bytes)) {
      INT.set(ALL, at, value);
    } else {
      INT.set(bytes, at, value);
    }
  }

  public static void putLong(MemorySegment bytes, long at, long value) {
    if (isAll(bytes)) {
      LONG.set(ALL, at, value);
    } else {
      LONG.set(bytes, at, value);
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
