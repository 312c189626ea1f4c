package dev.peregrine.parser.field;

import dev.peregrine.parser.grammar.Ascii;
import dev.peregrine.parser.grammar.CharClass;
import dev.peregrine.parser.grammar.Memory;
import dev.peregrine.parser.scan.VectorScanner;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;

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

  /** The last three bits of a block's CRs if it ends with a CR and an LF. */
  private static final long LINE_ENDS_BEFORE = 2;

  private FieldBlocks() {}

  /**
   * Adds the lines from index {@code from}, where a line starts, to {@code to}.
   *
   * @return as {@link WholeLines#add}
   */
  static int addLines(
      VectorScanner scanner, MemorySegment bytes, long base, long from, long to, FieldLines lines) {
    long lastBlock = bytes.byteSize() - BLOCK;
    FieldBits found = lines.bits();
    found.begin(LINE_ENDS_BEFORE);
    long end = find(scanner, bytes, base, from, to, lastBlock, found);
    lines.markFound();
    return isLineEnd(bytes, end, to) && lines.marked() <= lines.markedMax()
        ? (int) (end + 2 - base)
        : ~lines.keepWhole(bytes, base, to);
  }

  /**
   * Adds the lines behind one that is no field line. That one is valid, and the block at index
   * {@code from} has its CR or nothing but other bytes of it.
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
    FieldBits found = lines.bits();
    found.begin(0);
    long end = find(scanner, bytes, base, from, to, lastBlock, found);
    lines.deferMarks();
    if (isLineEnd(bytes, end, to) && lines.marked() <= lines.markedMax()) {
      return (int) (end + 2 - base);
    }
    lines.ensureMarked();
    return ~lines.keepWhole(bytes, base, to);
  }

  private static boolean isLineEnd(MemorySegment bytes, long at, long to) {
    return at + 2 <= to && Memory.shortAt(bytes, at) == Ascii.CRLF;
  }

  /** The index of the CR of the section's empty line; {@code to} if it was not reached. */
  private static long find(
      VectorScanner scanner,
      MemorySegment bytes,
      long base,
      long from,
      long to,
      long lastBlock,
      FieldBits found) {
    long last = Math.min(lastBlock, to - 1);
    long at = from;
    while (at <= last) {
      at = scan(scanner, bytes, base, at, last, found);
      if (at < 0) {
        return ~at;
      }
      if (at > last) {
        break;
      }
      if (found.isFull()) {
        found.grow();
      }
      long next = take(scanner, bytes, base, at, found);
      if (next < 0) {
        return ~next;
      }
      if (next == at) {
        break;
      }
      at = next;
    }
    return to;
  }

  /**
   * Goes on with the block at an index. Calls nothing and leaves early, so that all can be kept in
   * registers.
   *
   * @return the complement of the index of the CR of the section's empty line; or the index of the
   *     next block: there is none, or it may have rare bytes in names, or there is no room for it
   */
  private static long scan(
      VectorScanner scanner,
      MemorySegment bytes,
      long base,
      long from,
      long last,
      FieldBits found) {
    long[] blocks = found.blocks;
    int used = found.used;
    int lineEnds = found.lineEnds;
    long crsBefore = found.crsBefore;
    long nameBefore = found.nameBefore;
    // whether the block before had more than bytes of values
    long before = -1;
    // whether HTAB and obs-text are told from what is illegal, which most heads don't need
    boolean exact = false;
    long at = from;
    // unsigned, or the compiler makes two nested loops of it
    while (Long.compareUnsigned(at, last) <= 0) {
      ByteVector block = scanner.load(bytes, at);
      long beyond = scanner.beyondPrintable(block, bytes, at);
      if ((beyond | before) == 0) {
        // within a long value
        while (beyond == 0 && Long.compareUnsigned(at + BLOCK, last) <= 0) {
          at += BLOCK;
          block = scanner.load(bytes, at);
          beyond = scanner.beyondPrintable(block, bytes, at);
        }
        if (beyond == 0) {
          at += BLOCK;
          break;
        }
      }
      if (used + FieldBits.BLOCK > blocks.length) {
        break;
      }
      if (exact) {
        beyond = scanner.illegalInValue(block, bytes, at);
      }
      long crs = scanner.equalTo(Ascii.CR, block, bytes, at);
      long starts = (crs << 2) | (crsBefore >>> 1);
      long ends = starts & crs;
      long valid = belowLowest(ends);
      long lfs = scanner.equalTo(Ascii.LF, block, bytes, at);
      // what is neither CR nor LF, or one without the other
      if ((((beyond ^ crs ^ lfs) | (lfs ^ ((crs << 1) | (crsBefore >>> 2)))) & valid) != 0) {
        if (exact) {
          break;
        }
        exact = true;
        continue;
      }
      long others = ~scanner.equalTo(Ascii.COLON, block, bytes, at);
      long toColons = (others + (starts | nameBefore)) ^ others;
      long names = toColons & others;
      if (((names | starts) & ~scanner.namesMostly(block, bytes, at) & valid) != 0) {
        break;
      }
      long candidates = ((crs << 3) | crsBefore) & scanner.framingSeconds(block, bytes, at);
      crs &= valid;
      blocks[used] = at - base;
      blocks[used + FieldBits.COLONS] = toColons & ~others & valid;
      blocks[used + FieldBits.LINE_ENDS] = crs;
      blocks[used + FieldBits.CANDIDATES] = candidates & valid;
      used += FieldBits.BLOCK;
      lineEnds += Long.bitCount(crs);
      if (ends != 0) {
        at = ~(at + Long.numberOfTrailingZeros(ends));
        break;
      }
      crsBefore = crs >>> (LAST_BIT - 2);
      nameBefore = names >>> LAST_BIT;
      before = beyond | nameBefore;
      at += BLOCK;
    }
    found.set(used, lineEnds, crsBefore, nameBefore);
    return at;
  }

  /**
   * Goes on with the block at an index, which may have rare bytes in names.
   *
   * @return the complement of the index of the CR of the section's empty line; or the index of the
   *     next block, which is this one if it has bytes that cannot be there: then all before them is
   *     taken
   */
  private static long take(
      VectorScanner scanner, MemorySegment bytes, long base, long at, FieldBits found) {
    ByteVector block = scanner.load(bytes, at);
    long crsBefore = found.crsBefore;
    long crs = scanner.equalTo(Ascii.CR, block, bytes, at);
    long lfs = scanner.equalTo(Ascii.LF, block, bytes, at);
    long starts = (crs << 2) | (crsBefore >>> 1);
    long others = ~scanner.equalTo(Ascii.COLON, block, bytes, at);
    long toColons = (others + (starts | found.nameBefore)) ^ others;
    long names = toColons & others;

    long illegal = scanner.illegalInValue(block, bytes, at) ^ crs ^ lfs;
    long loose = lfs ^ ((crs << 1) | (crsBefore >>> 2));
    long odd = (names | starts) & ~scanner.namesMostly(block, bytes, at);
    long ends = starts & crs;
    long valid = belowLowest(ends);
    long faulty = ((illegal | loose) & valid) | besidesTokens(bytes, at, odd & valid);
    valid &= belowLowest(faulty);
    long candidates = ((crs << 3) | crsBefore) & scanner.framingSeconds(block, bytes, at);
    found.add(at - base, toColons & ~others & valid, crs & valid, candidates & valid);
    if (faulty != 0) {
      return at;
    }
    found.crsBefore = crs >>> (LAST_BIT - 2);
    found.nameBefore = names >>> LAST_BIT;
    return ends == 0 ? at + BLOCK : ~(at + Long.numberOfTrailingZeros(ends));
  }

  /** Of the bytes whose bits are set, those that cannot stand in a name. */
  private static long besidesTokens(MemorySegment bytes, long at, long odd) {
    long besides = odd;
    // one by one, as this is too much for vectors: they would become objects
    for (long left = odd; left != 0; left &= left - 1) {
      if (CharClass.TOKEN.contains(Memory.byteAt(bytes, at + Long.numberOfTrailingZeros(left)))) {
        besides ^= left & -left;
      }
    }
    return besides;
  }

  /** All bits below the lowest one set; all bits if none is. */
  private static long belowLowest(long bits) {
    return (bits & -bits) - 1;
  }
}
