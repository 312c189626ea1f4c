package dev.peregrine.server.memory;

import dev.peregrine.server.config.MemorySource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory of the process, within the limit of {@link DirectMemory}. Thread-safe. */
public abstract class OwnMemory implements MemorySource {
  /** For sources in other packages. */
  protected OwnMemory() {}

  @Override
  public final Region take(int bytes) {
    return DirectMemory.take(this, bytes);
  }

  /**
   * Takes memory for as long as the arena lives, or longer.
   *
   * @throws OutOfMemoryError if the system has none left
   */
  protected abstract MemorySegment take(Arena arena, long bytes);
}
