package dev.peregrine.netty;

import dev.peregrine.server.config.MemorySource;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * The memory of event loops in tests, also of the server's own tests, which find it by its name:
 * slabs of an allocator whose chunks have the size of one, so that no memory is left unused.
 */
public final class TestMemory implements MemorySource {
  private static final int PAGE_BYTES = 8 * 1024;
  private static final int CHUNK_ORDER = 7; // 1 MiB

  /** The allocator that all servers of the process share. */
  static final PooledByteBufAllocator ALLOCATOR =
      new PooledByteBufAllocator(true, 0, 1, PAGE_BYTES, CHUNK_ORDER, 0, 0, false);

  private final NettyMemory memory = NettyMemory.of(ALLOCATOR);

  @Override
  public Region take(int bytes) {
    return memory.take(bytes);
  }
}
