package dev.peregrine.parser.field;

import dev.peregrine.parser.grammar.Ascii;
import dev.peregrine.parser.grammar.Memory;
import dev.peregrine.parser.scan.VectorScanner;
import java.lang.foreign.MemorySegment;

/**
 * Finds field lines 64 bytes at a time: the vectors' way of {@link WholeLines}. It adds whole valid
 * lines only, and stops at the section's end or at the line that holds anything else: the end of
 * the data, or a fault, about which it says nothing.
 *
 * <p>A block is a few longs with one bit for each of its bytes. Lines are found by arithmetic: with
 * {@code starts} the first bytes of lines and {@code others} all bytes that are not colons, adding
 * both carries a one from each start through the name to the first colon behind it; all that
 * changed is name or first colon.
 */
final class FieldBlocks {
  private static final int BLOCK = VectorScanner.BLOCK;
  private static final int LAST_BIT = BLOCK - 1;

  /** The CRs of a block that ends with a CR and an LF. */
  private static final long LINE_ENDS_BEFORE = 1L << (LAST_BIT - 1);

  private FieldBlocks() {}

  /**
   * Adds the lines from index {@code from}, where a line starts, to {@code to}.
   *
   * @return as {@link WholeLines#add}
   */
  static int addLines(
      VectorScanner scanner, MemorySegment bytes, long base, long from, long to, FieldLines lines) {
    long lastBlock = bytes.byteSize() - BLOCK;
    int before = lines.marked();
    int reached = scan(scanner, bytes, base, from, to, lastBlock, lines, before, LINE_ENDS_BEFORE);
    return checked(reached, bytes, base, to, lines, before);
  }

  /**
   * Adds the lines behind one that is no field line. That one is valid, and the block at index
   * {@code from} has its CR or nothing but other bytes of it. If the section is complete, what is
   * behind a CR is a control, but nobody has looked whether it is an LF.
   *
   * @param lastBlock the last index at which a block can be loaded
   * @return as {@link WholeLines#add}
   */
  static int addLinesBehind(
      VectorScanner scanner,
      MemorySegment bytes,
      long base,
      long from,
      long to,
      long lastBlock,
      FieldLines lines) {
    int reached = scan(scanner, bytes, base, from, to, lastBlock, lines, 0, 0);
    return reached >= 0 ? reached : checked(reached, bytes, base, to, lines, 1);
  }

  /** What was reached without a CR that has no LF behind it, in the lines from a mark on. */
  private static int checked(
      int reached, MemorySegment bytes, long base, long to, FieldLines lines, int mark) {
    boolean whole = lines.endWithLineFeeds(bytes, base, mark);
    return whole ? reached : ~lines.keepWhole(bytes, base, to, lines.marked());
  }

  private static int scan(
      VectorScanner scanner,
      MemorySegment bytes,
      long base,
      long from,
      long to,
      long lastBlock,
      FieldLines lines,
      int marked,
      long crsBeforeFirst) {
    long last = Math.min(lastBlock, to - 1);
    int count = marked;
    long crsBefore = crsBeforeFirst;
    long namesBefore = 0;
    for (long at = from; at <= last; at += BLOCK) {
      long beyond = scanner.beyondPrintable(bytes, at);
      if ((beyond | (crsBefore >>> (LAST_BIT - 1)) | (namesBefore >>> LAST_BIT)) == 0) {
        continue;
      }
      long crs = scanner.equalTo(Ascii.CR, bytes, at);
      long colons = scanner.equalTo(Ascii.COLON, bytes, at);
      long starts = (crs << 2) | (crsBefore >>> (LAST_BIT - 1));
      long others = ~colons;
      long toColons = (others + (starts | (namesBefore >>> LAST_BIT))) ^ others;
      long names = toColons & others;
      long marks = (toColons & colons) | crs;

      // controls that are not behind a CR, and what is behind one but no control
      long rare = beyond ^ crs ^ ((crs << 1) | (crsBefore >>> LAST_BIT));
      long odd = (names | starts) & ~scanner.namesMostly(bytes, at);
      if ((rare | odd) != 0) {
        long ends = starts & crs;
        long valid = belowLowest(ends);
        long bad = (rare | odd) & valid;
        if (bad != 0) {
          bad = stillBad(scanner, bytes, at, rare & valid, odd & valid);
        }
        if ((bad | ends) != 0) {
          count = lines.addMarks(count, (int) (at - base), marks & valid & belowLowest(bad));
          long end = bad != 0 ? to : at + Long.numberOfTrailingZeros(ends);
          return stop(bytes, base, to, lines, count, end);
        }
      }
      count = lines.addMarks(count, (int) (at - base), marks);
      if (count > lines.markedMax()) {
        break;
      }
      crsBefore = crs;
      namesBefore = names;
    }
    return stop(bytes, base, to, lines, count, to);
  }

  /** The section's empty line is at {@code end} if that is before {@code to}. */
  private static int stop(
      MemorySegment bytes, long base, long to, FieldLines lines, int count, long end) {
    boolean complete =
        end + 2 <= to && Memory.byteAt(bytes, end + 1) == Ascii.LF && count <= lines.markedMax();
    if (complete) {
      lines.setMarked(count);
      return (int) (end + 2 - base);
    }
    return ~lines.keepWhole(bytes, base, to, count);
  }

  /** Those of rare bytes that cannot stand in a value, and of odd ones that cannot in a name. */
  private static long stillBad(
      VectorScanner scanner, MemorySegment bytes, long at, long rare, long odd) {
    long bad = rare == 0 ? 0 : rare & ~scanner.beyondAscii(bytes, at);
    if (bad != 0) {
      bad &= ~scanner.equalTo(Ascii.HTAB, bytes, at);
    }
    return odd == 0 ? bad : bad | (odd & ~scanner.tokens(bytes, at));
  }

  /** All bits below the lowest one set; all bits if none is. */
  private static long belowLowest(long bits) {
    return (bits & -bits) - 1;
  }
}
