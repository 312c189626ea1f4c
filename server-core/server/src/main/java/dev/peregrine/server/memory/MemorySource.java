package dev.peregrine.server.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Where pools take their slabs from. Thread-safe. */
@FunctionalInterface
public interface MemorySource {
  /** The allocator of the JVM. */
  MemorySource ALLOCATOR = Arena::allocate;

  /**
   * Takes memory for as long as the arena lives, or longer.
   *
   * @throws OutOfMemoryError if the system has none left
   */
  MemorySegment take(Arena arena, long bytes);
}
