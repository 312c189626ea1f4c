package dev.peregrine.parser.field;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.scan.SwarScanner;
import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.protocol.grammar.Swar;

/**
 * Finds the field lines of the common head by words, in native memory. It stops at the section's
 * end, at the end of the data, or at a line that isn't common, which it doesn't report: a name of
 * other bytes than letters, digits, "-" and ".", an HTAB in a value, a fault.
 */
final class WordLines {
  private static final int WORDS_AT_ONCE = 4;

  // The second letters of the framing fields' names, o to r and w to z: as a byte plus one they
  // share bits.
  private static final int SECOND_BITS = 0b1101_0100;
  private static final int SECONDS = 'p' & SECOND_BITS;

  private static final long SPACES = Swar.repeat(' ');

  private WordLines() {}

  /**
   * Adds lines, and those to the bits whose names may be those of framing fields. It is too long to
   * be inlined, so that its values stay in registers.
   *
   * @param from the address of the first line
   * @param segmentEnd the address after the last byte that may be loaded
   * @return as {@link StrideScanner#addLines}
   */
  static int scan(FieldLines lines, long base, long from, long to, long segmentEnd) {
    FieldBits framing = lines.bits();
    int[] marks = lines.marks();
    int marked = lines.marked();
    int markedMax = lines.markedMax();
    long lastWord = segmentEnd - Long.BYTES;
    long line = Memory.inRange(from);
    // unsigned, because the compiler would otherwise create two nested loops, here and below
    while (Long.compareUnsigned(line, lastWord) <= 0 && marked < markedMax) {
      long word = Memory.longAt(Memory.ALL, line);
      long second = word >>> Byte.SIZE;
      long colon = line;
      long odd = SwarScanner.oddInToken(word);
      while (odd == 0 && Long.compareUnsigned(colon, lastWord - Long.BYTES) <= 0) {
        colon = Memory.inRange(colon + Long.BYTES);
        word = Memory.longAt(Memory.ALL, colon);
        odd = SwarScanner.oddInToken(word);
      }
      int bit = Long.numberOfTrailingZeros(odd);
      colon += bit >>> 3;
      if ((byte) (word >>> (bit & -Byte.SIZE)) != Ascii.COLON || colon == line) {
        break;
      }
      long end = valueEnd(colon + 1, segmentEnd);
      if (end + 2 > to || Memory.shortAt(Memory.ALL, end) != Ascii.CRLF) {
        break;
      }
      if (marked + 1 >= marks.length) {
        marks = lines.moreMarks();
      }
      marks[marked] = (int) (colon - base);
      marks[marked + 1] = (int) (end - base);
      marked += 2;
      if (((second + 1) & SECOND_BITS) == SECONDS) {
        if (framing.isFull()) {
          framing.grow();
        }
        framing.add(line + 1, 0, 1);
      }
      line = Memory.inRange(end + 2);
    }
    lines.setMarked(marked);
    boolean complete = line + 2 <= to && Memory.shortAt(Memory.ALL, line) == Ascii.CRLF;
    return complete ? (int) (line + 2 - base) : ~(int) (line - base);
  }

  /** Returns the address of the first byte that is neither SP nor VCHAR, or the segment's end. */
  private static long valueEnd(long start, long segmentEnd) {
    long lastWord = segmentEnd - Long.BYTES;
    long lastWords = segmentEnd - WORDS_AT_ONCE * Long.BYTES;
    long at = Memory.inRange(start);
    if (Long.compareUnsigned(at, lastWord) > 0) {
      return segmentEnd;
    }
    long odd = beyondPrintable(Memory.longAt(Memory.ALL, at));
    if (odd == 0) {
      at = Memory.inRange(at + Long.BYTES);
      if (Long.compareUnsigned(at, lastWord) > 0) {
        return segmentEnd;
      }
      odd = beyondPrintable(Memory.longAt(Memory.ALL, at));
    }
    // from here on the value is long
    while (odd == 0) {
      at = Memory.inRange(at + Long.BYTES);
      while (Long.compareUnsigned(at, lastWords) <= 0 && arePrintable(at)) {
        at = Memory.inRange(at + WORDS_AT_ONCE * Long.BYTES);
      }
      if (Long.compareUnsigned(at, lastWord) > 0) {
        return segmentEnd;
      }
      odd = beyondPrintable(Memory.longAt(Memory.ALL, at));
    }
    return Memory.inRange(at + Swar.index(odd));
  }

  /** Returns all bytes that are neither SP nor VCHAR; only the lowest bit is certain. */
  private static long beyondPrintable(long word) {
    return ((word - SPACES) | (word + Swar.ONES)) & Swar.HIGH_BITS;
  }

  /** Returns true if the next words have only SP and VCHAR. */
  private static boolean arePrintable(long at) {
    long first = Memory.longAt(Memory.ALL, at);
    long second = Memory.longAt(Memory.ALL, at + Long.BYTES);
    long third = Memory.longAt(Memory.ALL, at + 2 * Long.BYTES);
    long fourth = Memory.longAt(Memory.ALL, at + 3 * Long.BYTES);
    long controls = (first - SPACES) | (second - SPACES) | (third - SPACES) | (fourth - SPACES);
    long others =
        (first + Swar.ONES) | (second + Swar.ONES) | (third + Swar.ONES) | (fourth + Swar.ONES);
    return ((controls | others) & Swar.HIGH_BITS) == 0;
  }
}
