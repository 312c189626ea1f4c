package dev.peregrine.parser.scan;

import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.protocol.grammar.CharClass;
import dev.peregrine.protocol.grammar.Swar;
import java.lang.foreign.MemorySegment;

/**
 * A scanner of eight bytes at a time in a long. For an irregular class of bytes, the word is tested
 * for the common members, and any other byte is looked up in the table.
 */
public final class SwarScanner implements Scanner {
  private static final long CASE_BITS = Swar.repeat(Ascii.CASE_BIT);

  // added to a byte below 0x80, these set its highest bit if it is in the range
  private static final long FROM_A = Swar.repeat(0x80 - 'a');
  private static final long BEYOND_Z = Swar.repeat(0x7F - 'z');
  private static final long FROM_HYPHEN = Swar.repeat(0x80 - '-');
  private static final long BEYOND_9 = Swar.repeat(0x7F - '9');
  private static final long SLASHES = Swar.repeat('/');

  private static final long DELETES = Swar.repeat(0x7F);
  private static final long QUOTES = Swar.repeat('"');
  private static final long LOWEST_BIT_CLEAR = Swar.repeat(0xFE);
  private static final long LESS_THANS = Swar.repeat('<');
  private static final long SECOND_BIT_CLEAR = Swar.repeat(0xFD);
  private static final long CARETS = Swar.repeat('^');
  private static final long GRAVES = Swar.repeat('`');

  private static final ScalarScanner TAIL = new ScalarScanner();

  @Override
  public long tokenEnd(MemorySegment bytes, long from, long to) {
    long at = from;
    while (at + Long.BYTES <= to) {
      long odd = oddInToken(Memory.longAt(bytes, at));
      if (odd == 0) {
        at += Long.BYTES;
        continue;
      }
      at += Swar.index(odd);
      if (!CharClass.TOKEN.contains(Memory.byteAt(bytes, at))) {
        return at;
      }
      at++;
    }
    return TAIL.tokenEnd(bytes, at, to);
  }

  @Override
  public long fieldValueEnd(MemorySegment bytes, long from, long to) {
    long at = from;
    while (at + Long.BYTES <= to) {
      long odd = Swar.oddInFieldValue(Memory.longAt(bytes, at));
      if (odd == 0) {
        at += Long.BYTES;
        continue;
      }
      at += Swar.index(odd);
      if (Memory.byteAt(bytes, at) != Ascii.HTAB) {
        return at;
      }
      at++;
    }
    return TAIL.fieldValueEnd(bytes, at, to);
  }

  @Override
  public long targetEnd(MemorySegment bytes, long from, long to) {
    long at = from;
    while (at + Long.BYTES <= to) {
      long illegal = illegalInTarget(Memory.longAt(bytes, at));
      if (illegal != 0) {
        return at + Swar.index(illegal);
      }
      at += Long.BYTES;
    }
    return TAIL.targetEnd(bytes, at, to);
  }

  @Override
  public long plainPathEnd(MemorySegment bytes, long from, long to) {
    long at = from;
    while (at + Long.BYTES <= to) {
      long odd = oddInPath(Memory.longAt(bytes, at));
      if (odd == 0) {
        at += Long.BYTES;
        continue;
      }
      at += Swar.index(odd);
      if (!CharClass.PLAIN_PATH.contains(Memory.byteAt(bytes, at))) {
        return at;
      }
      at++;
    }
    return TAIL.plainPathEnd(bytes, at, to);
  }

  @Override
  public long indexOf(byte value, MemorySegment bytes, long from, long to) {
    long values = Swar.repeat(value);
    long at = from;
    while (at + Long.BYTES <= to) {
      long equal = Swar.zeros(Memory.longAt(bytes, at) ^ values);
      if (equal != 0) {
        return at + Swar.index(equal);
      }
      at += Long.BYTES;
    }
    return TAIL.indexOf(value, bytes, at, to);
  }

  /**
   * Returns true if all bytes of a target are legal in a path, without a query and percent signs.
   * Eight bytes must be readable after it.
   */
  public static boolean isPlainPath(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      long odd = oddInPath(Memory.longAt(bytes, at));
      if (odd == 0) {
        at += Long.BYTES;
        continue;
      }
      at += Swar.index(odd);
      if (at < to && !CharClass.PLAIN_PATH.contains(bytes[at])) {
        return false;
      }
      at++;
    }
    return true;
  }

  /** Returns bytes other than letters, digits, "-" and ".". */
  public static long oddInToken(long word) {
    long low = word & ~Swar.HIGH_BITS; // so that no byte carries
    return (usualInPath(word) & ((low ^ SLASHES) + ~Swar.HIGH_BITS)) ^ Swar.HIGH_BITS;
  }

  /** Returns bytes other than letters, digits, "-", "." and "/". */
  private static long oddInPath(long word) {
    return usualInPath(word) ^ Swar.HIGH_BITS;
  }

  /** Returns letters, digits, "-", "." and "/"; correct for every byte. */
  private static long usualInPath(long word) {
    long low = word & ~Swar.HIGH_BITS;
    long small = low | CASE_BITS;
    long letters = (small + FROM_A) & ~(small + BEYOND_Z);
    long others = (low + FROM_HYPHEN) & ~(low + BEYOND_9);
    return (letters | others) & ~word & Swar.HIGH_BITS;
  }

  /** Returns everything except VCHAR, and of VCHAR: " # &lt; &gt; [ \ ] ^ ` { | }. */
  private static long illegalInTarget(long word) {
    return (word & Swar.HIGH_BITS)
        | Swar.below('!', word)
        | Swar.zeros(word ^ DELETES)
        | Swar.zeros((word & LOWEST_BIT_CLEAR) ^ QUOTES)
        | Swar.zeros((word & SECOND_BIT_CLEAR) ^ LESS_THANS)
        | Swar.range('{', '}', word | CASE_BITS)
        | Swar.zeros(word ^ CARETS)
        | Swar.zeros(word ^ GRAVES);
  }
}
