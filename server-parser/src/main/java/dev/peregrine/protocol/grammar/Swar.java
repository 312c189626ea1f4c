package dev.peregrine.protocol.grammar;

/**
 * Tests of eight bytes in a long. In a result, the highest bit of each byte that passes is set. The
 * lowest such bit is always correct, the others only if the method guarantees it.
 */
public final class Swar {
  public static final long ONES = 0x0101_0101_0101_0101L;
  public static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final long LOW_BITS = ~HIGH_BITS;
  private static final long SPACES = repeat(' ');
  private static final long DELETES = repeat(0x7F);

  private Swar() {}

  /** Returns the same byte eight times. */
  public static long repeat(int value) {
    return (value & 0xFF) * ONES;
  }

  /** Returns the index of the lowest byte that passes; 8 if none does. */
  public static int index(long answer) {
    return Long.numberOfTrailingZeros(answer) / Byte.SIZE;
  }

  /** Returns the bytes that are zero. */
  public static long zeros(long word) {
    return (word - ONES) & ~word & HIGH_BITS;
  }

  /** Returns the bytes below {@code bound} as unsigned values; the bound is at most 0x80. */
  public static long below(int bound, long word) {
    return (word - repeat(bound)) & ~word & HIGH_BITS;
  }

  /**
   * Returns the bytes from {@code first} to {@code last}, both below 0x80; correct for every byte.
   */
  public static long range(int first, int last, long word) {
    long low = word & LOW_BITS;
    long atLeastFirst = low + repeat(0x80 - first);
    long beyondLast = low + repeat(0x7F - last);
    return atLeastFirst & ~beyondLast & ~word & HIGH_BITS;
  }

  /** Returns controls, including HTAB, and DEL; only the lowest bit is certain. */
  public static long oddInFieldValue(long word) {
    return ((word - SPACES) | ((word ^ DELETES) - ONES)) & ~word & HIGH_BITS;
  }
}
