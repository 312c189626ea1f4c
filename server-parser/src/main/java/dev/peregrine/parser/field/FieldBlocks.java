package dev.peregrine.parser.field;

import dev.peregrine.parser.grammar.Ascii;
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
    for (int at = from; at < to && at <= lastBlock; at += BLOCK) {
      long beyond = scanner.beyondPrintable(bytes, at);
      if ((beyond | startCarry | nameCarry | crCarry) == 0) {
        continue;
      }
      long crs = scanner.equalTo(Ascii.CR, bytes, at);
      long lfs = scanner.equalTo(Ascii.LF, bytes, at);
      long colons = scanner.equalTo(Ascii.COLON, bytes, at);
      long starts = lfs << 1 | startCarry;
      long others = ~colons;
      long toColons = (others + (starts | nameCarry)) ^ others;
      long names = toColons & others;

      // all that is looked at: up to the section's end or the data's
      long valid = belowLowest(starts & crs) & below(to - at);
      long misplaced = lfs ^ (crs << 1 | crCarry);
      long rare = beyond & ~(crs | lfs);
      long odd = (names | starts) & ~scanner.lettersAndHyphens(bytes, at);
      if (((misplaced | rare | odd) & valid) != 0) {
        rare &= valid;
        odd &= valid;
        valid = belowLowest(misplaced & valid) & valid;
        if (rare != 0) {
          valid &= belowLowest(notInValues(scanner, bytes, at, rare));
        }
        if (odd != 0) {
          valid &= belowLowest(odd & ~scanner.tokens(bytes, at));
        }
      }
      boolean roomLeft = lines.addMarks(at - base, ((toColons & colons) | crs) & valid);
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
    }
    return lines.keepWhole(lineStart - base);
  }

  /** Those of the bytes at these bits that cannot stand in a value; others may be whitespace. */
  private static long notInValues(VectorScanner scanner, MemorySegment bytes, int at, long rare) {
    long controls = rare & ~scanner.beyondAscii(bytes, at);
    if (controls == 0) {
      return 0;
    }
    return controls & ~scanner.equalTo(Ascii.HTAB, bytes, at);
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
