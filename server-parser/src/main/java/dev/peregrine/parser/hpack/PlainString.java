package dev.peregrine.parser.hpack;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.Swar;
import java.lang.foreign.MemorySegment;

/** Copies strings that aren't Huffman-coded, and tests their bytes on the way, by words. */
final class PlainString {
  // added to a byte below 0x80, these set its highest bit if it is in the range
  private static final long FROM_A = Swar.repeat(0x80 - 'a');
  private static final long BEYOND_Z = Swar.repeat(0x7F - 'z');
  private static final long FROM_0 = Swar.repeat(0x80 - '0');
  private static final long BEYOND_9 = Swar.repeat(0x7F - '9');
  private static final long HYPHENS = Swar.repeat('-');
  private static final long LOW_BITS = ~Swar.HIGH_BITS;

  private PlainString() {}

  /**
   * Copies {@code [from, to)}.
   *
   * @param floor the first index that may be read, at most {@code from}
   * @param out has {@link DecodedFields#SLACK} bytes of room after the copy
   * @return whether the copy must be checked byte by byte
   */
  static boolean copyName(MemorySegment bytes, long from, long to, long floor, byte[] out, int at) {
    long odd = 0;
    int end = at;
    long next = from;
    for (; next <= to - Long.BYTES; next += Long.BYTES) {
      long word = Memory.longAt(bytes, next);
      Words.putLong(out, end, word);
      odd |= oddInName(word);
      end += Long.BYTES;
    }
    int rest = (int) (to - next);
    if (rest != 0) {
      long word = lastWord(bytes, rest, to, floor);
      Words.putLong(out, end, word);
      odd |= oddInName(word) & lowBytes(rest);
    }
    return odd != 0;
  }

  /** Copies {@code [from, to)} as {@link #copyName} does. */
  static boolean copyValue(
      MemorySegment bytes, long from, long to, long floor, byte[] out, int at) {
    long odd = 0;
    int end = at;
    long next = from;
    for (; next <= to - Long.BYTES; next += Long.BYTES) {
      long word = Memory.longAt(bytes, next);
      Words.putLong(out, end, word);
      odd |= Swar.oddInFieldValue(word);
      end += Long.BYTES;
    }
    int rest = (int) (to - next);
    if (rest != 0) {
      long word = lastWord(bytes, rest, to, floor);
      Words.putLong(out, end, word);
      odd |= Swar.oddInFieldValue(word) & lowBytes(rest);
    }
    return odd != 0;
  }

  /** Returns the last 1 to 7 bytes before {@code to}; the bytes above them are zero. */
  private static long lastWord(MemorySegment bytes, int rest, long to, long floor) {
    if (to - floor >= Long.BYTES) {
      return Memory.longAt(bytes, to - Long.BYTES) >>> (Long.SIZE - rest * Byte.SIZE);
    }
    long word = 0;
    for (int i = 1; i <= rest; i++) {
      word = word << Byte.SIZE | (Memory.byteAt(bytes, to - i) & 0xFF);
    }
    return word;
  }

  private static long lowBytes(int count) {
    return -1L >>> (Long.SIZE - count * Byte.SIZE);
  }

  /** Returns bytes other than lower-case letters, digits and "-". */
  private static long oddInName(long word) {
    long low = word & LOW_BITS;
    long letters = (low + FROM_A) & ~(low + BEYOND_Z);
    long digits = (low + FROM_0) & ~(low + BEYOND_9);
    long notHyphens = (low ^ HYPHENS) + LOW_BITS;
    return ((~(letters | digits) & notHyphens) | word) & Swar.HIGH_BITS;
  }
}
