package dev.peregrine.parser.scan;

import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;

/**
 * Recognises the known methods, case-sensitively, with the space after them: one load of eight
 * bytes, a perfect hash of the first three, one comparison. Here a method is represented by a code,
 * its place among the constants of {@link HttpMethod}.
 *
 * <p>Technique {@code request-line} of docs/TECHNIQUES.md, measured by {@code
 * RequestLineBenchmark}.
 */
public final class Methods {
  /** The code of an unknown method. */
  public static final int OTHER = HttpMethod.values().length - 1;

  private static final HttpMethod[] METHODS = HttpMethod.values();
  private static final byte[] LENGTHS = lengths();
  private static final long FIRST_THREE_BYTES = 0xFF_FFFF;
  private static final int SLOT_BITS = 5;
  private static final int SLOT_SHIFT = Long.SIZE - SLOT_BITS;

  /** An odd number for which no two methods share a slot. */
  private static final long MULTIPLIER = multiplierFor(words());

  private static final long[] WORDS = new long[1 << SLOT_BITS];
  private static final long[] MASKS = new long[1 << SLOT_BITS];
  private static final byte[] CODES = new byte[1 << SLOT_BITS];

  static {
    for (int code = 0; code < OTHER; code++) {
      long word = wordOf(METHODS[code].name());
      int slot = slot(word, MULTIPLIER);
      WORDS[slot] = word;
      MASKS[slot] = -1L >>> (Long.SIZE - Byte.SIZE * (length(code) + 1));
      CODES[slot] = (byte) code;
    }
  }

  private Methods() {}

  /** Returns the method of a code. */
  public static HttpMethod method(int code) {
    return METHODS[code];
  }

  /** Returns the length of a known method's name. */
  public static int length(int code) {
    return LENGTHS[code];
  }

  /** Returns the code of the method that these eight bytes start with, followed by a space. */
  public static int find(long word) {
    int slot = slot(word, MULTIPLIER);
    return (word & MASKS[slot]) == WORDS[slot] && MASKS[slot] != 0 ? CODES[slot] : OTHER;
  }

  /** Returns the code of the method whose token is {@code [start, end)}, followed by a space. */
  public static int find(MemorySegment bytes, long start, long end) {
    if (end - start >= Long.BYTES) {
      return OTHER;
    }
    long word = Ascii.SP;
    for (long at = end - 1; at >= start; at--) {
      word = word << Byte.SIZE | Memory.byteAt(bytes, at);
    }
    return find(word);
  }

  private static int slot(long word, long multiplier) {
    return (int) (((word & FIRST_THREE_BYTES) * multiplier) >>> SLOT_SHIFT);
  }

  private static byte[] lengths() {
    byte[] lengths = new byte[METHODS.length];
    for (int code = 0; code < lengths.length; code++) {
      lengths[code] = (byte) METHODS[code].name().length();
    }
    return lengths;
  }

  private static long[] words() {
    long[] words = new long[OTHER];
    for (int code = 0; code < OTHER; code++) {
      words[code] = wordOf(METHODS[code].name());
    }
    return words;
  }

  /** Returns the first bytes of a method and of the space after it. */
  static long wordOf(String method) {
    return Memory.word(method + ' ');
  }

  /**
   * Returns an odd number for which no two of the words share a slot.
   *
   * @throws IllegalArgumentException if two words start with the same three bytes
   */
  static long multiplierFor(long... words) {
    checkDistinct(words);
    long multiplier = 1;
    while (!isPerfect(multiplier, words)) {
      multiplier = (multiplier + 1) * 0x9E37_79B9_7F4A_7C15L | 1;
    }
    return multiplier;
  }

  /** Throws if two words are hashed alike: the search for a multiplier would never end. */
  private static void checkDistinct(long[] words) {
    for (int i = 0; i < words.length; i++) {
      for (int j = 0; j < i; j++) {
        if (((words[i] ^ words[j]) & FIRST_THREE_BYTES) == 0) {
          throw new IllegalArgumentException(
              "the methods with the codes %d and %d start with the same three bytes: hash more bytes"
                  .formatted(j, i));
        }
      }
    }
  }

  private static boolean isPerfect(long multiplier, long[] words) {
    int taken = 0;
    for (long word : words) {
      taken |= 1 << slot(word, multiplier);
    }
    return Integer.bitCount(taken) == words.length;
  }
}
