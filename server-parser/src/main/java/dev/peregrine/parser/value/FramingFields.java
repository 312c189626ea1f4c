package dev.peregrine.parser.value;

import dev.peregrine.parser.field.FieldLines;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.protocol.grammar.Swar;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * The lines of a head that determine the end of its content, its host and the persistence of the
 * connection. A server reads them for every request. No two of their names are equally long, so a
 * line's length and first letter exclude nearly all others. Belongs to a head.
 */
public final class FramingFields {
  public static final int HOST = 0;
  public static final int CONTENT_LENGTH = 1;
  public static final int TRANSFER_ENCODING = 2;
  public static final int CONNECTION = 3;
  public static final int EXPECT = 4;
  public static final int UPGRADE = 5;

  private static final KnownHeader[] NAMES = {
    KnownHeader.HOST,
    KnownHeader.CONTENT_LENGTH,
    KnownHeader.TRANSFER_ENCODING,
    KnownHeader.CONNECTION,
    KnownHeader.EXPECT,
    KnownHeader.UPGRADE
  };

  private static final long CASE_BITS = Swar.repeat(Ascii.CASE_BIT);

  /** The number of slots by length. A name is looked up by its length modulo this number. */
  private static final int SLOTS = 32;

  private static final byte[] FIRST_LETTERS = new byte[SLOTS];
  private static final byte[] KINDS = new byte[SLOTS];

  /** By length: up to eight first bytes of the name in lower case; then the second and the last. */
  private static final long[] FIRST_WORDS = new long[SLOTS];

  private static final long[] SECOND_WORDS = new long[SLOTS];
  private static final long[] LAST_WORDS = new long[SLOTS];

  static {
    for (byte kind = 0; kind < NAMES.length; kind++) {
      String name = NAMES[kind].fieldName().toLowerCase(Locale.ROOT);
      int length = name.length();
      assert FIRST_LETTERS[length] == 0 : "two names have the length of " + name;
      FIRST_LETTERS[length] = (byte) name.charAt(0);
      KINDS[length] = kind;
      FIRST_WORDS[length] = Memory.word(name.substring(0, Math.min(length, Long.BYTES)));
      if (length >= Long.BYTES) {
        LAST_WORDS[length] = Memory.word(name.substring(length - Long.BYTES));
      }
      if (length > 2 * Long.BYTES) {
        SECOND_WORDS[length] = Memory.word(name.substring(Long.BYTES, 2 * Long.BYTES));
      }
    }
  }

  private final int[] firstLines = new int[NAMES.length];
  private int present;
  private int repeated;

  /** Searches all lines of a complete section after a request line. */
  public void find(MemorySegment bytes, long base, FieldLines lines) {
    present = 0;
    repeated = 0;
    int count = lines.count();
    int[] marks = lines.marks();
    int cr = marks[0];
    for (int line = 0; line < count; line++) {
      int length = marks[2 * line + 1] - cr - 2;
      int letter = Memory.byteAt(bytes, base + cr + 2) | Ascii.CASE_BIT;
      if (FIRST_LETTERS[length & (SLOTS - 1)] == letter && isName(bytes, base + cr + 2, length)) {
        add(KINDS[length], line);
      }
      cr = marks[2 * line + 2];
    }
  }

  private void add(int kind, int line) {
    int bit = 1 << kind;
    if ((present & bit) == 0) {
      present |= bit;
      firstLines[kind] = line;
    } else {
      repeated |= bit;
    }
  }

  /** Returns true if the token is the name of its length. */
  private static boolean isName(MemorySegment bytes, long start, int length) {
    if (length >= SLOTS) {
      return false;
    }
    // at least a colon and two line ends follow a name, so eight bytes can be loaded
    long first = Memory.longAt(bytes, start) | CASE_BITS;
    if (length < Long.BYTES) {
      return (first & (-1L >>> ((Long.BYTES - length) * Byte.SIZE))) == FIRST_WORDS[length];
    }
    return first == FIRST_WORDS[length]
        && (Memory.longAt(bytes, start + length - Long.BYTES) | CASE_BITS) == LAST_WORDS[length]
        && (length <= 2 * Long.BYTES
            || (Memory.longAt(bytes, start + Long.BYTES) | CASE_BITS) == SECOND_WORDS[length]);
  }

  /** Returns true if the head has no line of these kinds. */
  public boolean hasNone(int kind, int otherKind) {
    return (present & ((1 << kind) | (1 << otherKind))) == 0;
  }

  public boolean has(int kind) {
    return (present & (1 << kind)) != 0;
  }

  /** Returns true if several lines are of this kind. */
  public boolean isRepeated(int kind) {
    return (repeated & (1 << kind)) != 0;
  }

  /** Returns the first line of a kind that the head has. */
  public int first(int kind) {
    return firstLines[kind];
  }

  /** Returns the next line of the same kind, or the number of lines. */
  public int next(int kind, MemorySegment bytes, long base, FieldLines lines, int line) {
    if (!isRepeated(kind)) {
      return lines.count();
    }
    int next = line + 1;
    while (next < lines.count()) {
      int start = lines.nameStart(next);
      int length = lines.nameEnd(next) - start;
      if (length < SLOTS
          && FIRST_LETTERS[length] != 0
          && KINDS[length] == kind
          && isName(bytes, base + start, length)) {
        break;
      }
      next++;
    }
    return next;
  }
}
