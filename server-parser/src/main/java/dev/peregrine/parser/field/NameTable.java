package dev.peregrine.parser.field;

import dev.peregrine.parser.scan.Memory;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;

/**
 * Recognises up to 63 field names of up to 32 letters, digits and hyphens in any case, by a perfect
 * hash of length and last five bytes and a comparison of whole words. Immutable.
 *
 * <p>Technique {@code field-names} of docs/TECHNIQUES.md, measured by {@code FieldNameBenchmark}.
 */
public final class NameTable {
  /** The id of every name that the table does not hold. */
  public static final int UNKNOWN = 63;

  static final int IDS = 64;
  static final long UNKNOWN_BIT = 1L << UNKNOWN;

  /** The number of bytes at a name's end that are hashed. */
  static final int TAIL = 5;

  private static final int TAIL_BITS = TAIL * Byte.SIZE;
  private static final long TAIL_MASK = (1L << TAIL_BITS) - 1;

  /**
   * A mask that, or-ed to eight bytes of a token, makes letters lower-case and doesn't change
   * digits and hyphens.
   */
  private static final long CASE_BITS = 0x2020_2020_2020_2020L;

  private static final int SLOT_BITS = 9;
  private static final int SLOT_SHIFT = Long.SIZE - SLOT_BITS;

  /** The first multiplier that is tried: odd, with irregular bits. */
  private static final long FIRST_MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  /** Longs of a slot: the key, the name's first word, the id. */
  private static final int SLOT = 4;

  private static final int FIRST_WORD = 1;
  private static final int ID = 2;

  private static final int NAME_WORDS = 4;

  private final long multiplier;
  private final long[] slots = new long[SLOT << SLOT_BITS];

  /** By id: the name, eight bytes a word. */
  private final long[] words = new long[NAME_WORDS * IDS];

  /**
   * Creates a table; a name's id is its place in the list.
   *
   * @throws IllegalArgumentException if two names have the same length and the same last bytes in
   *     any case, so that no hash of those tells them apart
   */
  public NameTable(List<String> names) {
    var keys = new long[names.size()];
    for (int id = 0; id < keys.length; id++) {
      keys[id] = key(names.get(id).toLowerCase(Locale.ROOT));
    }
    checkDistinct(keys, names);
    multiplier = multiplierFor(keys);
    for (int id = 0; id < keys.length; id++) {
      add(id, keys[id], names.get(id).toLowerCase(Locale.ROOT));
    }
  }

  /** Returns the id of the token of {@code length} bytes that starts at an index. */
  public int find(MemorySegment bytes, long start, int length) {
    long key = key(tail(bytes, start, length), length);
    int slot = (int) ((key * multiplier) >>> SLOT_SHIFT) * SLOT;
    long[] table = slots;
    if (table[slot] != key) {
      return UNKNOWN;
    }
    int id = (int) table[slot + ID];
    if (length > TAIL) {
      boolean same =
          word(bytes, start, length) == table[slot + FIRST_WORD]
              && (length <= Long.BYTES + TAIL || isMiddle(bytes, start, length, id));
      return same ? id : UNKNOWN;
    }
    return id;
  }

  /**
   * Returns a word whose lowest bytes are the last of the token. If the token is shorter, the word
   * includes bytes before it.
   */
  private static long tail(MemorySegment bytes, long start, int length) {
    long end = start + length;
    if (length >= Long.BYTES) {
      return Memory.longAt(bytes, end - Long.BYTES) >>> ((Long.BYTES - TAIL) * Byte.SIZE);
    }
    long tail = 0;
    for (long at = end - 1; at >= Math.max(start, end - TAIL); at--) {
      tail = tail << Byte.SIZE | (Memory.byteAt(bytes, at) & 0xFF);
    }
    return length >= TAIL ? tail : tail << ((TAIL - length) * Byte.SIZE);
  }

  /** Returns true if the words between the first and the tail are those of a name. */
  private boolean isMiddle(MemorySegment bytes, long start, int length, int id) {
    for (int done = Long.BYTES; done < length - TAIL; done += Long.BYTES) {
      if (word(bytes, start + done, length - done) != words[NAME_WORDS * id + done / Long.BYTES]) {
        return false;
      }
    }
    return true;
  }

  /** Returns eight bytes in lower case; fewer bytes are in the highest places. */
  private static long word(MemorySegment bytes, long at, int length) {
    long word = Memory.longAt(bytes, at) | CASE_BITS;
    return length >= Long.BYTES ? word : word << ((Long.BYTES - length) * Byte.SIZE);
  }

  /** Returns tail and length in one word. */
  private static long key(long tail, int length) {
    long letters = (tail | CASE_BITS) & TAIL_MASK;
    if (length < TAIL) {
      letters >>>= (TAIL - length) * Byte.SIZE;
    }
    return letters | (long) length << TAIL_BITS;
  }

  private static long key(String name) {
    String padded = "-".repeat(TAIL) + name;
    return key(Memory.word(padded.substring(name.length())), name.length());
  }

  private void add(int id, long key, String name) {
    int slot = (int) ((key * multiplier) >>> SLOT_SHIFT) * SLOT;
    for (int word = 0; word * Long.BYTES < name.length(); word++) {
      words[NAME_WORDS * id + word] = word(name, word);
    }
    slots[slot] = key;
    slots[slot + FIRST_WORD] = word(name, 0);
    slots[slot + ID] = id;
  }

  /**
   * Returns the n-th eight bytes of a name in the form of {@link #word(MemorySegment, int, int)}.
   */
  private static long word(String name, int n) {
    int start = n * Long.BYTES;
    int end = Math.min(name.length(), start + Long.BYTES);
    return Memory.word(name.substring(start, end)) << ((Long.BYTES - (end - start)) * Byte.SIZE);
  }

  /** Throws if two keys are the same: the search for a multiplier would never end. */
  private static void checkDistinct(long[] keys, List<String> names) {
    var known = HashMap.<Long, String>newHashMap(keys.length);
    for (int id = 0; id < keys.length; id++) {
      String earlier = known.put(keys[id], names.get(id));
      if (earlier != null) {
        throw new IllegalArgumentException(
            "the names \"%s\" and \"%s\" have the same length and the same last %d bytes: hash more bytes, or leave one out"
                .formatted(earlier, names.get(id), TAIL));
      }
    }
  }

  private static long multiplierFor(long[] keys) {
    long multiplier = FIRST_MULTIPLIER;
    while (!isPerfect(multiplier, keys)) {
      multiplier *= FIRST_MULTIPLIER;
    }
    return multiplier;
  }

  private static boolean isPerfect(long multiplier, long[] keys) {
    var taken = new boolean[1 << SLOT_BITS];
    for (long key : keys) {
      int slot = (int) ((key * multiplier) >>> SLOT_SHIFT);
      if (taken[slot]) {
        return false;
      }
      taken[slot] = true;
    }
    return true;
  }
}
