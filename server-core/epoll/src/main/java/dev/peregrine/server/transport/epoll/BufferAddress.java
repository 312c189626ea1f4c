package dev.peregrine.server.transport.epoll;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The native address of the direct buffer that was used last, which is mostly the next one too. The
 * JDK tells it only by a new segment, and the compiler doesn't always remove that object. Used by
 * one thread.
 */
final class BufferAddress {
  private @Nullable ByteBuffer last;
  private long base;

  /** Returns the address of the buffer's position. */
  @SuppressWarnings("ReferenceEquality") // a buffer's memory never changes
  long of(ByteBuffer buffer) {
    if (buffer != last) {
      base = MemorySegment.ofBuffer(buffer).address() - buffer.position();
      last = buffer;
    }
    return base + buffer.position();
  }
}
