package dev.peregrine.base;

import java.lang.foreign.MemorySegment;

/** Lent bytes of which the memory may be read as well, as long as they are lent. */
public interface MemoryRange {
  /** Returns the memory that the bytes lie in. */
  MemorySegment segment();

  /** Returns the index of the first byte in the memory. */
  int from();
}
