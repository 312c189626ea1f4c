package dev.peregrine.server.memory;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A run of pooled direct memory with the views that reading, parsing and writing need, created once
 * and reused. Owned by one event loop; returned by {@link BufferPool#release}.
 */
public final class Block {
  final Slab slab;
  final int offset;
  final int order;
  final ByteBuffer buffer;
  private final MemorySegment segment;
  private final long address;
  @Nullable Block nextFree; // or the next one of a BlockQueue
  boolean free;
  boolean held;
  int pins; // readers that outlive the call
  boolean releasedWhileShared;
  @Nullable Runnable beforePin; // of an owner that uses the block again and again
  private int contentFrom;
  private int contentTo;

  Block(Slab slab, int offset, int order) {
    this.slab = slab;
    this.offset = offset;
    this.order = order;
    this.segment = slab.run(offset, order);
    this.buffer = segment.asByteBuffer();
    this.address = segment.address();
  }

  /** Returns the whole block as a segment: index 0 is the block's first byte. */
  public MemorySegment segment() {
    return segment;
  }

  /** Returns the native address of the block's first byte. */
  public long address() {
    return address;
  }

  /** Returns true if a reader that isn't the owner still needs the bytes. */
  public boolean isShared() {
    return held || pins > 0;
  }

  /** Records which bytes hold the owner's content. */
  public void content(int from, int to) {
    contentFrom = from;
    contentTo = to;
  }

  /** Returns the index of the first byte that was recorded as content. */
  public int contentFrom() {
    return contentFrom;
  }

  /** Returns the index after the last byte that was recorded as content. */
  public int contentTo() {
    return contentTo;
  }

  public int capacity() {
    return buffer.capacity();
  }

  /** Returns the block's own buffer, positioned on a range; the next call moves it. */
  public ByteBuffer range(int from, int to) {
    return buffer.limit(to).position(from);
  }

  /**
   * Copies a part of an array to an index of the block. Moves the buffer, through which a copy
   * makes fewer calls than through the segment, which counts while the code isn't compiled.
   */
  void copy(byte[] source, int from, int to, int bytes) {
    buffer.clear().put(to, source, from, bytes);
  }
}
