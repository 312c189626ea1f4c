package dev.peregrine.server.http2.frame;

import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A field block that arrives in several frames, whose bytes are collected. One per connection. */
final class FieldBlock {
  private final BufferPool pool;
  private final int bytesMax;
  private @Nullable Block block; // the bytes so far
  private @Nullable Block delivered; // its fields are in use until the request was handled
  private int bytes;
  private int id;
  private boolean ends; // the stream
  private boolean dependsOnItself;

  FieldBlock(BufferPool pool, int bytesMax) {
    this.pool = pool;
    this.bytesMax = bytesMax;
  }

  void begin(int stream, boolean endsStream, boolean onItself) {
    id = stream;
    ends = endsStream;
    dependsOnItself = onItself;
    bytes = 0;
  }

  /** Returns the stream that the block is for. */
  int id() {
    return id;
  }

  /** Adds the bytes of a frame. */
  @Nullable Violation add(MemorySegment source, int from, int to) {
    int count = to - from;
    if (bytes + count > bytesMax) {
      return Violation.BLOCK_TOO_LARGE;
    }
    if (count == 0) {
      return null;
    }
    Block target = block;
    if (target == null || target.capacity() - BufferPool.SLACK_BYTES < bytes + count) {
      Block larger = pool.acquire(2 * (bytes + count) + BufferPool.SLACK_BYTES);
      if (target != null) {
        MemorySegment.copy(target.segment(), 0, larger.segment(), 0, bytes);
        pool.release(target);
      }
      target = larger;
      block = target;
    }
    MemorySegment.copy(source, from, target.segment(), bytes, count);
    bytes += count;
    return null;
  }

  /**
   * Passes the block on.
   *
   * @param last memory with the last frame
   * @param end the index after that frame
   */
  @Nullable Violation deliver(FrameHandler handler, MemorySegment last, int end) {
    Block whole = block;
    block = null;
    if (whole == null) { // all frames were empty
      return handler.onBlock(id, last, end, end, ends, dependsOnItself);
    }
    delivered = whole; // until the next read if the handler throws, which may be left and read on
    Violation fault = handler.onBlock(id, whole.segment(), 0, bytes, ends, dependsOnItself);
    releaseDelivered();
    return fault;
  }

  /** Releases a block whose request has been handled. */
  void releaseDelivered() {
    Block released = delivered;
    if (released != null) {
      delivered = null;
      pool.release(released);
    }
  }

  /** Releases all memory. */
  void close() {
    if (block != null) {
      pool.release(block);
      block = null;
    }
    releaseDelivered();
  }
}
