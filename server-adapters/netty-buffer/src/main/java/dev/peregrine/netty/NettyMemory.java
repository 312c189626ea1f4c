package dev.peregrine.netty;

import dev.peregrine.server.config.MemorySource;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Memory of Netty's allocator for the event loops of a server, so that the server, drivers and
 * clients of one program share one pool, one limit ({@code -Dio.netty.maxDirectMemory}) and one
 * metric ({@link PooledByteBufAllocator#metric}). Thread-safe.
 *
 * <pre>{@code
 * builder.memory(NettyMemory.of(PooledByteBufAllocator.DEFAULT));
 * }</pre>
 *
 * <p>Event loops take slabs of 1 MiB, which a chunk of the allocator must hold: its default, 4 MiB,
 * does. They return when the server doesn't need them, but the allocator keeps its chunks for as
 * long as it likes.
 */
public final class NettyMemory implements MemorySource {
  private final PooledByteBufAllocator allocator;

  private NettyMemory(PooledByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /** Returns a source of that allocator's direct memory. */
  public static NettyMemory of(PooledByteBufAllocator allocator) {
    return new NettyMemory(Objects.requireNonNull(allocator));
  }

  @Override
  public Region take(int bytes) {
    ByteBuf slab = allocator.directBuffer(bytes, bytes);
    try {
      return new Region(MemorySegment.ofBuffer(slab.nioBuffer(0, bytes)), slab::release);
    } catch (Throwable failure) {
      slab.release();
      throw failure;
    }
  }

  @Override
  public String toString() {
    return "NettyMemory of " + allocator;
  }
}
