package dev.peregrine.parser.field;

import dev.peregrine.parser.grammar.Memory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Recognises up to 63 field names of up to 32 letters, digits and hyphens in any case, by a perfect
 * hash of length and last eight bytes and a comparison of whole words. Immutable.
 */
public final class NameTable {
  /** The id of every name that the table does not hold. */
  public static final int UNKNOWN = 63;

  static final int IDS = 64;
  static final long UNKNOWN_BIT = 1L << UNKNOWN;

  /** Or-ed to eight bytes of a token, makes letters small and leaves digits and hyphens alone. */
  private static final long CASE_BITS = 0x2020_2020_2020_2020L;

  private static final int SLOT_BITS = 9;
  private static final int SLOT_SHIFT = Long.SIZE - SLOT_BITS;

  /** The first multiplier that is tried: odd, with irregular bits. */
  private static final long FIRST_MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  /** Words per slot: the last eight bytes, then the first, second and third eight. */
  private static final int WORDS = 4;

  private final long multiplier;

  /** By slot: the id, and above it the length. */
  private final int[] entries = new int[1 << SLOT_BITS];

  private final long[] words = new long[WORDS << SLOT_BITS];

  /** A name's id is its place in the list. */
  public NameTable(List<String> names) {
    multiplier = multiplierFor(names);
    Arrays.fill(entries, UNKNOWN);
    for (int id = 0; id < names.size(); id++) {
      add(id, names.get(id).toLowerCase(Locale.ROOT));
    }
  }

  /** The id of the token in {@code [start, end)}. */
  int find(MemorySegment bytes, int start, int end) {
    int length = end - start;
    long last = lastWord(bytes, end, length);
    int slot = slot(last, length);
    int entry = entries[slot];
    int word = WORDS * slot;
    boolean found =
        last == words[word]
            && length == entry >>> Byte.SIZE
            && (length <= Long.BYTES || beginsAlike(bytes, start, length, word + 1));
    return found ? entry & 0xFF : UNKNOWN;
  }

  private boolean beginsAlike(MemorySegment bytes, int start, int length, int word) {
    return (Memory.longAt(bytes, start) | CASE_BITS) == words[word]
        && (length <= 2 * Long.BYTES
            || ((Memory.longAt(bytes, start + Long.BYTES) | CASE_BITS) == words[word + 1]
                && (length <= 3 * Long.BYTES
                    || (Memory.longAt(bytes, start + 2 * Long.BYTES) | CASE_BITS)
                        == words[word + 2])));
  }

  /** The last eight bytes in small letters, or all if there are fewer, with zeros above. */
  private static long lastWord(MemorySegment bytes, int end, int length) {
    if (end < Long.BYTES) {
      return lastWordByBytes(bytes, end, length);
    }
    long word = Memory.longAt(bytes, end - Long.BYTES) | CASE_BITS;
    return length >= Long.BYTES ? word : word >>> ((Long.BYTES - length) * Byte.SIZE);
  }

  private static long lastWordByBytes(MemorySegment bytes, int end, int length) {
    long word = 0;
    for (int at = end - 1; at >= end - length; at--) {
      word = word << Byte.SIZE | Memory.byteAt(bytes, at);
    }
    return word | (CASE_BITS >>> ((Long.BYTES - length) * Byte.SIZE));
  }

  private int slot(long last, int length) {
    return slot(multiplier, last, length);
  }

  private static int slot(long multiplier, long last, int length) {
    return (int) (((last + length) * multiplier) >>> SLOT_SHIFT);
  }

  private void add(int id, String name) {
    int length = name.length();
    long last = lastWord(name);
    int slot = slot(last, length);
    entries[slot] = length << Byte.SIZE | id;
    words[WORDS * slot] = last;
    for (int i = 0; i < WORDS - 1 && (i + 1) * Long.BYTES <= length; i++) {
      words[WORDS * slot + 1 + i] =
          Memory.word(name.substring(i * Long.BYTES, (i + 1) * Long.BYTES));
    }
  }

  private static long lastWord(String name) {
    return Memory.word(name.substring(Math.max(0, name.length() - Long.BYTES)));
  }

  private static long multiplierFor(List<String> names) {
    long multiplier = FIRST_MULTIPLIER;
    while (!isPerfect(multiplier, names)) {
      multiplier *= FIRST_MULTIPLIER;
    }
    return multiplier;
  }

  private static boolean isPerfect(long multiplier, List<String> names) {
    var taken = new boolean[1 << SLOT_BITS];
    for (String name : names) {
      int slot = slot(multiplier, lastWord(name.toLowerCase(Locale.ROOT)), name.length());
      if (taken[slot]) {
        return false;
      }
      taken[slot] = true;
    }
    return true;
  }
}
