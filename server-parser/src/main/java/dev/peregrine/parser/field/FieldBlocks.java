package dev.peregrine.parser.field;

import dev.peregrine.parser.grammar.Ascii;
import dev.peregrine.parser.grammar.CharClass;
import dev.peregrine.parser.grammar.Memory;
import dev.peregrine.parser.scan.VectorScanner;
import java.lang.foreign.MemorySegment;

/**
 * Finds field lines 64 bytes at a time: the vectors' way of {@link WholeLines}. It adds whole valid
 * lines only, and stops at the line that holds anything else: the section's end, the end of the
 * data, or a fault, about which it says nothing.
 *
 * <p>A block is a few longs with one bit for each of its bytes. Lines are found by arithmetic: with
 * {@code starts} the first bytes of lines and {@code others} all bytes that are not colons, adding
 * both carries a one from each start through the name to the first colon behind it; all that
 * changed is name or first colon.
 */
final class FieldBlocks {
  private static final int BLOCK = VectorScanner.BLOCK;
  private static final int LAST_BIT = BLOCK - 1;

  private FieldBlocks() {}

  /**
   * Adds the lines from index {@code from}, where a line starts, to {@code to}.
   *
   * @return the offset of the first line that was not added
   */
  static int addLines(
      VectorScanner scanner, MemorySegment bytes, int base, int from, int to, FieldLines lines) {
    long lastBlock = bytes.byteSize() - BLOCK;
    int lineStart = from;
    long startCarry = 1;
    long nameCarry = 0;
    long crCarry = 0;
    long spaceCarry = 0;
    long textCarry = 0;
    long unusual = 0;
    for (int at = from; at < to && at <= lastBlock; at += BLOCK) {
      long beyond = scanner.beyondPrintable(bytes, at);
      if ((beyond | startCarry | nameCarry | crCarry | textCarry) == 0) {
        continue;
      }
      long crs = scanner.equalTo(Ascii.CR, bytes, at);
      long lfs = scanner.equalTo(Ascii.LF, bytes, at);
      long colons = scanner.equalTo(Ascii.COLON, bytes, at);
      long starts = lfs << 1 | startCarry;
      long others = ~colons;
      long toColons = (others + (starts | nameCarry)) ^ others;
      long names = toColons & others;
      long nameEnds = toColons & colons;

      long faults = lfs ^ (crs << 1 | crCarry);
      long ends = starts & crs;
      long looked = belowLowest(ends) & below(to - at);
      long rare = beyond & ~(crs | lfs) & looked;
      if (rare != 0) {
        long controls = rare & ~scanner.beyondAscii(bytes, at);
        faults |= outside(CharClass.FIELD_VALUE, bytes, at, controls);
        unusual |= controls;
      }
      long odd = (names | starts) & looked & ~scanner.lettersAndHyphens(bytes, at);
      if (odd != 0) {
        faults |= outside(CharClass.TOKEN, bytes, at, odd);
      }
      long valid = looked & belowLowest(faults & looked);

      long spaces = scanner.equalTo(Ascii.SP, bytes, at);
      long texts = nameEnds << 2 | textCarry;
      unusual |= (nameEnds << 1 | spaceCarry) & ~spaces & valid;
      unusual |= texts & (spaces | crs) & valid;
      unusual |= spaces << 1 & crs & valid;
      if ((crs & valid & 1) != 0 && Memory.byteAt(bytes, at - 1) == Ascii.SP) {
        unusual = 1;
      }

      boolean roomLeft = lines.addMarks(at - base, (nameEnds | crs) & valid);
      long lastLf = lfs & valid;
      if (lastLf != 0) {
        lineStart = at + BLOCK - Long.numberOfLeadingZeros(lastLf);
      }
      if (valid != -1 || !roomLeft) {
        break;
      }
      startCarry = lfs >>> LAST_BIT;
      nameCarry = names >>> LAST_BIT;
      crCarry = crs >>> LAST_BIT;
      spaceCarry = nameEnds >>> LAST_BIT;
      textCarry = nameEnds >>> (LAST_BIT - 1);
    }
    if (unusual != 0) {
      lines.expectUnusualSpace();
    }
    return lines.keepWhole(lineStart - base);
  }

  /** Those of the bytes at these bits that are not in the class: the few that a vector let by. */
  private static long outside(CharClass charClass, MemorySegment bytes, int at, long bits) {
    long outside = 0;
    for (long left = bits; left != 0; left &= left - 1) {
      byte value = Memory.byteAt(bytes, at + Long.numberOfTrailingZeros(left));
      outside |= charClass.contains(value) ? 0 : left & -left;
    }
    return outside;
  }

  /** All bits below the lowest one set; all bits if none is. */
  private static long belowLowest(long bits) {
    return (bits & -bits) - 1;
  }

  /** The {@code count} lowest bits; all if there are not so many. */
  private static long below(int count) {
    return count >= BLOCK ? -1 : (1L << count) - 1;
  }
}
