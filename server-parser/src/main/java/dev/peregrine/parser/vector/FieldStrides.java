package dev.peregrine.parser.vector;

import dev.peregrine.parser.field.FieldBits;
import dev.peregrine.parser.field.FieldLines;
import dev.peregrine.parser.field.StrideScanner;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.protocol.grammar.CharClass;
import java.lang.foreign.MemorySegment;

/**
 * Finds field lines 64 bytes at a time, like {@code FastLines} with vectors. It adds only whole,
 * valid lines. It stops at the section's end, at the end of the data, or at a fault, which it
 * doesn't report.
 *
 * <p>A stride is a few longs with one bit for each of its bytes. Lines are found by arithmetic:
 * with {@code starts} the first bytes of lines and {@code others} all bytes that are not colons,
 * adding both carries a one from each start through the name to the first colon after it; all that
 * changed is name or first colon.
 */
final class FieldStrides {
  private static final int STRIDE = StrideScanner.STRIDE;
  private static final int LAST_BIT = STRIDE - 1;

  /** The CRs of a stride that ends with a CR and an LF. */
  private static final long LINE_ENDS_BEFORE = 1L << (LAST_BIT - 1);

  private FieldStrides() {}

  /**
   * Adds the lines from index {@code from}, where a line starts, to {@code to}.
   *
   * @return as {@link StrideScanner#addLines}
   */
  static int addLines(
      VectorScanner scanner, MemorySegment bytes, long base, long from, long to, FieldLines lines) {
    long lastStride = bytes.byteSize() - STRIDE;
    FieldBits found = lines.bits();
    found.begin(base, LINE_ENDS_BEFORE);
    long end = find(scanner, bytes, from, Math.min(lastStride, to - 1), found);
    return lines.takeFound(bytes, base, end, to);
  }

  /**
   * Finds the field lines after a valid request line. At index {@code from} is the CR of the
   * request line, or a byte of it before that.
   *
   * @param lastStride the last index at which a stride can be loaded
   * @return the index after the section's empty line, or an index after {@code to} if the section
   *     does not end
   */
  static long sectionEnd(
      VectorScanner scanner,
      MemorySegment bytes,
      long base,
      long from,
      long to,
      long lastStride,
      FieldBits found) {
    found.begin(base, 0);
    long end = find(scanner, bytes, from, Math.min(lastStride, to - 1), found);
    return end >= 0 && FieldLines.isLineEnd(bytes, end, to) ? end + 2 : Long.MAX_VALUE;
  }

  /** Returns the index of the CR of the section's empty line; -1 if it was not reached. */
  private static long find(
      VectorScanner scanner, MemorySegment bytes, long from, long last, FieldBits found) {
    long at = from;
    if (Memory.isAll(bytes)) {
      at = scan(found, from, last);
      while (at >= 0 && at <= last && found.isFull()) {
        found.grow();
        at = scan(found, at, last);
      }
    }
    if (at < 0) {
      return ~at;
    }
    return at > last ? -1 : scanExactly(scanner, bytes, at, last, found);
  }

  /**
   * Continues with the stride at an index. Makes no calls and returns early, so that all values
   * stay in registers.
   *
   * @return the complement of the index of the CR of the section's empty line; or the index of the
   *     next stride, which is after the end, may have rare bytes, or doesn't fit into the array
   */
  private static long scan(FieldBits found, long from, long last) {
    int used = found.used();
    int count = found.marks();
    long crsBefore = found.crsBefore();
    long nameBefore = found.nameBefore();
    // whether the stride before contained more than bytes of a value
    long before = -1;
    long at = from;
    // unsigned, because the compiler would otherwise create two nested loops
    while (Long.compareUnsigned(at, last) <= 0) {
      long beyond = NativeStride.beyondPrintable(at, STRIDE);
      if ((beyond | before) == 0) {
        // within a long value
        while (beyond == 0 && Long.compareUnsigned(at + STRIDE, last) <= 0) {
          at += STRIDE;
          beyond = NativeStride.beyondPrintable(at, STRIDE);
        }
        if (beyond == 0) {
          at += STRIDE;
          break;
        }
      }
      long[] strides = found.strides();
      if (used + FieldBits.STRIDE > strides.length) {
        break;
      }
      // all comparisons come before any use of a result, which is faster
      long crs = NativeStride.equalTo(Ascii.CR, at, STRIDE);
      long lfs = NativeStride.equalTo(Ascii.LF, at, STRIDE);
      long others = ~NativeStride.equalTo(Ascii.COLON, at, STRIDE);
      long usualInNames = NativeStride.namesMostly(at, STRIDE);
      long framingSeconds = NativeStride.framingSeconds(at, STRIDE);

      long starts = (crs << 2) | (crsBefore >>> (LAST_BIT - 1));
      long ends = starts & crs;
      long valid = belowLowest(ends);
      // other controls, or a CR or LF without the other
      if ((((beyond ^ crs ^ lfs) | (lfs ^ ((crs << 1) | (crsBefore >>> LAST_BIT)))) & valid) != 0) {
        break;
      }
      long toColons = (others + (starts | nameBefore)) ^ others;
      long names = toColons & others;
      if (((names | starts) & ~usualInNames & valid) != 0) {
        break;
      }
      long seconds = (crs << 3) | (crsBefore >>> (LAST_BIT - 2));
      long marks = ((toColons & ~others) | crs) & valid;
      strides[used] = at;
      strides[used + FieldBits.MARKS] = marks;
      strides[used + FieldBits.CANDIDATES] = seconds & framingSeconds & valid;
      used += FieldBits.STRIDE;
      count += Long.bitCount(marks);
      if (ends != 0) {
        at = ~(at + Long.numberOfTrailingZeros(ends));
        break;
      }
      crsBefore = crs;
      nameBefore = names >>> LAST_BIT;
      before = beyond | nameBefore;
      at += STRIDE;
    }
    found.set(used, count, crsBefore, nameBefore);
    return at;
  }

  /**
   * Continues with the stride at an index, which may have rare bytes: HTAB and obs-text in values,
   * all but letters, digits, "-" and "_" in names. A head that has some is likely to have more.
   *
   * <p>It is too long to be inlined, as {@link #scan} is, so that rare bytes never slow the
   * compiled code for the common ones, even if they came first.
   *
   * @return the index of the CR of the section's empty line, or -1 if it is absent or illegal bytes
   *     precede it; all lines before them are taken
   */
  private static long scanExactly(
      VectorScanner scanner, MemorySegment bytes, long from, long last, FieldBits found) {
    for (long at = from; at <= last; at += STRIDE) {
      if (found.isFull()) {
        found.grow();
      }
      long crsBefore = found.crsBefore();
      long crs = scanner.equalTo(Ascii.CR, bytes, at);
      long lfs = scanner.equalTo(Ascii.LF, bytes, at);
      long starts = (crs << 2) | (crsBefore >>> (LAST_BIT - 1));
      long others = ~scanner.equalTo(Ascii.COLON, bytes, at);
      long toColons = (others + (starts | found.nameBefore())) ^ others;
      long names = toColons & others;

      long illegal = scanner.illegalInValue(bytes, at) ^ crs ^ lfs;
      long loose = lfs ^ ((crs << 1) | (crsBefore >>> LAST_BIT));
      long odd = (names | starts) & ~scanner.namesMostly(bytes, at);
      long ends = starts & crs;
      long valid = belowLowest(ends);
      long faulty = (illegal | loose) & valid;
      // one by one, because this code is too long for vectors, which would become objects
      for (long left = odd & valid; left != 0; left &= left - 1) {
        if (!CharClass.TOKEN.contains(
            Memory.byteAt(bytes, at + Long.numberOfTrailingZeros(left)))) {
          faulty |= left & -left;
        }
      }
      valid &= belowLowest(faulty);
      long seconds = (crs << 3) | (crsBefore >>> (LAST_BIT - 2));
      long marks = ((toColons & ~others) | crs) & valid;
      found.add(at, marks, seconds & scanner.framingSeconds(bytes, at) & valid);
      if (faulty != 0) {
        return -1;
      }
      if (ends != 0) {
        return at + Long.numberOfTrailingZeros(ends);
      }
      found.endStride(crs, names >>> LAST_BIT);
    }
    return -1;
  }

  /** Returns all bits below the lowest bit that is set; all bits if none is set. */
  private static long belowLowest(long bits) {
    return (bits & -bits) - 1;
  }
}
