package dev.peregrine.testing;

import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/** Memory that a test takes away from a loop, on its thread. */
public final class ScarceMemory implements MemorySource {
  private final List<Block> taken = new ArrayList<>();
  private boolean exhausted;

  @Override
  public Region take(int bytes) {
    if (exhausted) {
      throw new OutOfMemoryError("intended");
    }
    return new Region(Arena.ofAuto().allocate(bytes), () -> {});
  }

  /** Takes all that is left. What a queue holds stays with it. */
  public void exhaust(BufferPool pool) {
    exhausted = true;
    try {
      while (true) {
        taken.add(pool.acquire(BufferPool.BLOCK_BYTES_MIN));
      }
    } catch (OutOfMemoryError intended) {
      // nothing is left
    }
  }

  /** Gives back what was taken. */
  public void giveBack(BufferPool pool) {
    exhausted = false;
    taken.forEach(pool::release);
    taken.clear();
  }
}
