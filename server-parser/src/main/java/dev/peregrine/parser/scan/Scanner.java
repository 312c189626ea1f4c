package dev.peregrine.parser.scan;

import java.lang.foreign.MemorySegment;

/**
 * The searches that determine a parser's speed. Every result depends only on {@code [from, to)};
 * bytes after {@code to} may be loaded but never change a result. Implementations are immutable and
 * have equal results.
 */
public interface Scanner {
  /** Returns the index of the first byte that is not a token character, or {@code to}. */
  long tokenEnd(MemorySegment bytes, long from, long to);

  /** Returns the index of the first byte that cannot stand in a field value, or {@code to}. */
  long fieldValueEnd(MemorySegment bytes, long from, long to);

  /** Returns the index of the first byte that cannot stand in a path or query, or {@code to}. */
  long targetEnd(MemorySegment bytes, long from, long to);

  /** Returns the index of the first byte that is not in a path without escapes, or {@code to}. */
  long plainPathEnd(MemorySegment bytes, long from, long to);

  /** Returns the index of the first byte that is {@code value}, or {@code to}. */
  long indexOf(byte value, MemorySegment bytes, long from, long to);
}
