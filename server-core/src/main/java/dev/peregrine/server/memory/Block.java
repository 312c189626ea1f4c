package dev.peregrine.server.memory;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A run of pooled direct memory with the views that reading, parsing and writing need, made once
 * and reused. Owned by one event loop; given back with {@link Arena#release}.
 */
public final class Block {
  final ByteBuf memory;
  final ByteBuffer buffer;
  private final MemorySegment segment;
  private final long address;
  @Nullable Block nextFree;
  boolean free;

  Block(ByteBuf memory) {
    this.memory = memory;
    this.buffer = memory.nioBuffer(0, memory.capacity());
    this.segment = MemorySegment.ofBuffer(buffer);
    this.address = segment.address();
  }

  /** The whole block as a segment: index 0 is the block's first byte. */
  public MemorySegment segment() {
    return segment;
  }

  /** The native address of the block's first byte. */
  public long address() {
    return address;
  }

  public int capacity() {
    return buffer.capacity();
  }

  /** The block's own buffer, positioned on a range; the next call moves it. */
  public ByteBuffer range(int from, int to) {
    return buffer.limit(to).position(from);
  }
}
