package dev.peregrine.parser.field;

import dev.peregrine.parser.grammar.Memory;
import java.lang.foreign.MemorySegment;
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

  /** Words of a slot: the last eight bytes, the first eight, then length and id. */
  private static final int SLOT = 4;

  private static final int FIRST_WORD = 1;
  private static final int ENTRY = 2;

  private final long multiplier;
  private final long[] slots = new long[SLOT << SLOT_BITS];

  /** By id: the second and the third eight bytes of names that have them. */
  private final long[] middles = new long[2 * IDS];

  /** A name's id is its place in the list. */
  public NameTable(List<String> names) {
    multiplier = multiplierFor(names);
    for (int id = 0; id < names.size(); id++) {
      add(id, names.get(id).toLowerCase(Locale.ROOT));
    }
  }

  /** The id of the token in {@code [start, end)}. */
  int find(MemorySegment bytes, int start, int end) {
    int length = end - start;
    long last = lastWord(bytes, end, length);
    long[] table = slots;
    int slot = slot(multiplier, last, length) * SLOT;
    if (last != table[slot]) {
      return UNKNOWN;
    }
    int entry = (int) table[slot + ENTRY];
    boolean found =
        length == entry >>> Byte.SIZE
            && (length <= Long.BYTES
                || ((Memory.longAt(bytes, start) | CASE_BITS) == table[slot + FIRST_WORD]
                    && (length <= 2 * Long.BYTES || isMiddle(bytes, start, length, entry & 0xFF))));
    return found ? entry & 0xFF : UNKNOWN;
  }

  private boolean isMiddle(MemorySegment bytes, int start, int length, int id) {
    return (Memory.longAt(bytes, start + Long.BYTES) | CASE_BITS) == middles[2 * id]
        && (length <= 3 * Long.BYTES
            || (Memory.longAt(bytes, start + 2 * Long.BYTES) | CASE_BITS) == middles[2 * id + 1]);
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

  private static int slot(long multiplier, long last, int length) {
    return (int) (((last + length) * multiplier) >>> SLOT_SHIFT);
  }

  private void add(int id, String name) {
    int length = name.length();
    int slot = slot(multiplier, lastWord(name), length) * SLOT;
    slots[slot] = lastWord(name);
    slots[slot + FIRST_WORD] = word(name, 0);
    slots[slot + ENTRY] = (long) length << Byte.SIZE | id;
    middles[2 * id] = word(name, 1);
    middles[2 * id + 1] = word(name, 2);
  }

  /** The n-th eight bytes of a name, as far as it has them. */
  private static long word(String name, int n) {
    int start = Math.min(name.length(), n * Long.BYTES);
    return Memory.word(name.substring(start, Math.min(name.length(), start + Long.BYTES)));
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
