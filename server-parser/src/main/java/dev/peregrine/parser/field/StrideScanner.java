package dev.peregrine.parser.field;

import dev.peregrine.parser.scan.Scanner;
import java.lang.foreign.MemorySegment;

/**
 * A scanner that tests 64 bytes at a time; each result is one bit per byte. Results are about the
 * {@link #STRIDE} bytes from an index on, all of which are loaded. Implementations are immutable.
 */
public interface StrideScanner extends Scanner {
  /** Bytes that one result is about. */
  int STRIDE = Long.SIZE;

  /** Letters, digits, "-" and ".": what most hosts consist of. */
  long hostsMostly(MemorySegment bytes, long at);

  /** All bytes that cannot stand in a path or query, % and ?, and of the rest: ! $ ~. */
  long specialInTarget(MemorySegment bytes, long at);

  /**
   * Adds the lines from index {@code from}, where a line starts, to {@code to}.
   *
   * @return the offset after the section's empty line; or, if that was not reached, the complement
   *     of the offset of the first line that was not added
   */
  int addLines(MemorySegment bytes, long base, long from, long to, FieldLines lines);

  /**
   * Finds the lines after one that is not a field line. That one is valid, and the stride at index
   * {@code from} has its CR or only other bytes of it.
   *
   * @param lastStride the last index at which a stride can be loaded
   * @return the index after the section's empty line, or one after {@code to} if it is not there
   */
  long sectionEnd(
      MemorySegment bytes, long base, long from, long to, long lastStride, FieldBits found);
}
