package dev.peregrine.parser.field;

import java.lang.foreign.MemorySegment;

/** Lets benchmarks measure {@link NameTable}. */
public final class NameTableAccess {
  private NameTableAccess() {}

  /** The id of the token of {@code length} bytes that starts at an index. */
  public static int find(NameTable table, MemorySegment bytes, long start, int length) {
    return table.find(bytes, start, length);
  }
}
