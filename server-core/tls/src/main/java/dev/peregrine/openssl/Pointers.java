package dev.peregrine.openssl;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads and writes the targets of OpenSSL's pointers, without checks. */
final class Pointers {
  @SuppressWarnings("restricted") // OpenSsl checks native access first
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private Pointers() {}

  static long get(long address) {
    return ALL.get(ValueLayout.JAVA_LONG, address);
  }

  static void set(long address, long value) {
    ALL.set(ValueLayout.JAVA_LONG, address, value);
  }

  static void set(long address, byte[] bytes) {
    MemorySegment.copy(bytes, 0, ALL, ValueLayout.JAVA_BYTE, address, bytes.length);
  }

  static int getInt(long address) {
    return ALL.get(ValueLayout.JAVA_INT, address);
  }

  static void copy(long source, long target, long bytes) {
    MemorySegment.copy(ALL, source, ALL, target, bytes);
  }

  static ByteBuffer view(long address, long count) {
    return ALL.asSlice(address, count).asByteBuffer();
  }

  static boolean equal(long a, long b, long bytes) {
    return MemorySegment.mismatch(ALL, a, a + bytes, ALL, b, b + bytes) < 0;
  }

  static byte[] bytes(long address, long count) {
    return ALL.asSlice(address, count).toArray(ValueLayout.JAVA_BYTE);
  }

  static String latin(long address, int count) {
    return new String(bytes(address, count), StandardCharsets.ISO_8859_1);
  }

  /** Returns the text up to a zero, or null for a null pointer. */
  static @Nullable String text(long address) {
    return address == 0 ? null : ALL.getString(address);
  }
}
