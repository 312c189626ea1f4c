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
  private static final long ZEROS = repeat('0');

  // added to a byte minus '0', these set its highest bit unless it is a digit's value
  private static final long BEYOND_9 = repeat(0x80 - 10);

  private static final long DIGIT_VALUES = repeat(0xF);
  private static final long PAIRS = 0x00FF_00FF_00FF_00FFL;
  private static final long FOURS = 0x0000_FFFF_0000_FFFFL;

  private Swar() {}

  /** Returns the same byte eight times. */
  public static long repeat(int value) {
    return (value & 0xFF) * ONES;
  }

  /** Returns the index of the lowest byte that passes; 8 if none does. */
  public static int index(long answer) {
    return Long.numberOfTrailingZeros(answer) >>> 3; // a division would handle negative numbers too
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

  /** Returns everything except digits; only the lowest bit is certain. */
  public static long notDigits(long word) {
    return (((word ^ ZEROS) + BEYOND_9) | word) & HIGH_BITS;
  }

  /** Returns the number that the first one to eight bytes of a word, all digits, stand for. */
  public static int number(long word, int digits) {
    long values = (word << (Long.SIZE - digits * Byte.SIZE)) & DIGIT_VALUES;
    long pairs = (10 * values + (values >>> Byte.SIZE)) & PAIRS;
    long fours = (100 * pairs + (pairs >>> (2 * Byte.SIZE))) & FOURS;
    return (int) (10_000 * fours + (fours >>> (4 * Byte.SIZE)));
  }
}
