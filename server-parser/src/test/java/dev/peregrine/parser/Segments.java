package dev.peregrine.parser;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Native memory with bytes at a chosen alignment, ending exactly at the last or with garbage. */
public final class Segments {
  private static final int CACHE_LINE = 64;

  private Segments() {}

  public static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  public static String text(byte[] latin1) {
    return new String(latin1, StandardCharsets.ISO_8859_1);
  }

  /** The bytes alone: the segment ends at the last one. */
  public static MemorySegment exact(byte[] bytes) {
    return aligned(bytes, 0, 0, (byte) 0);
  }

  /**
   * Returns the bytes from index {@code shift} on of a segment that starts at a cache line,
   * followed by {@code slack} bytes of garbage.
   */
  public static MemorySegment aligned(byte[] bytes, int shift, int slack, byte garbage) {
    MemorySegment segment =
        Arena.ofAuto().allocate(Math.max(1, (long) shift + bytes.length + slack), CACHE_LINE);
    MemorySegment exact = segment.asSlice(0, (long) shift + bytes.length + slack);
    exact.fill(garbage);
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, exact, shift, bytes.length);
    return exact;
  }
}
