package dev.peregrine.server.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory of the JVM's allocator. Thread-safe. */
public final class JvmMemory extends OwnMemory {
  /** Creates a source. */
  public JvmMemory() {}

  @Override
  protected MemorySegment take(Arena arena, long bytes) {
    return arena.allocate(bytes);
  }
}
