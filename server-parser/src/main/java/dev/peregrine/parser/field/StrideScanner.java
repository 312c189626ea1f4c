package dev.peregrine.parser.field;

import dev.peregrine.parser.scan.Scanner;
import java.lang.foreign.MemorySegment;

/**
 * A scanner that tests 64 bytes at a time; each result is one bit per byte. A result covers the
 * {@link #STRIDE} bytes from an index on, all of which are loaded. Implementations are immutable.
 */
public interface StrideScanner extends Scanner {
  /** The number of bytes that one result covers. */
  int STRIDE = Long.SIZE;

  /**
   * Returns letters, digits, "-" and ".", of which most hosts consist. Tests one vector's bytes at
   * most, because hosts are short; further bytes pass for others.
   */
  long hostsMostly(MemorySegment bytes, long at);

  /** Returns all bytes that are illegal in a path or query, and of the legal ones: % ? ! $ ~. */
  long specialInTarget(MemorySegment bytes, long at);

  /**
   * Adds the lines from index {@code from}, where a line starts, to {@code to}.
   *
   * @return the offset after the section's empty line; or, if that was not reached, the complement
   *     of the offset of the first line that was not added
   */
  int addLines(MemorySegment bytes, long base, long from, long to, FieldLines lines);

  /**
   * Finds the field lines after a valid request line. At index {@code from} is the CR of the
   * request line, or a byte of it before that.
   *
   * @param lastStride the last index at which a stride can be loaded
   * @return the index after the section's empty line, or an index after {@code to} if the section
   *     does not end
   */
  long sectionEnd(
      MemorySegment bytes, long base, long from, long to, long lastStride, FieldBits found);
}
