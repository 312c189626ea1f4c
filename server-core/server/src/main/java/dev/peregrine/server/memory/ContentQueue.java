package dev.peregrine.server.memory;

import dev.peregrine.base.Interrupts;
import dev.peregrine.server.memory.lease.Releasable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Content of one message that waits until it may be sent or taken: arrays, buffers and files by
 * reference, blocks of the loop's memory. Used by one event loop's thread only.
 */
public final class ContentQueue {
  private final BufferPool pool;
  private final ArrayDeque<Part> parts = new ArrayDeque<>(2);
  private long bytes;

  /** Bytes of one source: exactly one of the first four references is set. */
  private static final class Part {
    byte @Nullable [] array;
    @Nullable ByteBuffer buffer;
    @Nullable Block block;
    @Nullable OpenFile file;
    @Nullable Releasable held; // the file, or the lease of the buffer
    long from;
    long to;
  }

  public ContentQueue(BufferPool pool) {
    this.pool = pool;
  }

  /** Returns the number of bytes that wait. */
  public long bytes() {
    return bytes;
  }

  /** Returns the size of the blocks that wait, which is the memory of the pool that they take. */
  public long blockBytes() {
    long sum = 0;
    for (Part part : parts) {
      sum += part.block == null ? 0 : part.block.capacity();
    }
    return sum;
  }

  public boolean isEmpty() {
    return bytes == 0;
  }

  /** Adds a range of an array, which must not be changed until it is sent. */
  public void add(byte[] source, int from, int length) {
    Part part = new Part();
    part.array = source;
    add(part, from, length);
  }

  /**
   * Adds a buffer's remaining bytes, which must not be changed until they are sent, and takes the
   * lease of the buffer if it has one.
   */
  public void add(ByteBuffer source) {
    Part part = new Part();
    part.buffer = source.duplicate();
    add(part, source.position(), source.remaining());
    part.held = pool.leases().take(source);
  }

  /** Adds the first bytes of a block, which is the queue's from now on. */
  public void add(Block source, int length) {
    Part part = new Part();
    part.block = source;
    add(part, 0, length);
  }

  /** Adds a part of a file, and takes over one use of it. */
  public void add(OpenFile source, long position, long length) {
    Part part = new Part();
    part.file = source;
    part.held = source;
    add(part, position, length);
  }

  /** Adds a copy of bytes: to the last block as far as they fit, the rest in a new one. */
  public void addCopy(MemorySegment source, long from, int length) {
    Part last = parts.peekLast();
    Block open = last == null ? null : last.block;
    int room = open == null ? 0 : open.capacity() - BufferPool.SLACK_BYTES - (int) last.to;
    int first = Math.min(length, room);
    int rest = length - first;
    Block block = rest == 0 ? null : pool.acquire(rest + BufferPool.SLACK_BYTES);
    if (last != null && open != null && first > 0) {
      MemorySegment.copy(source, from, open.segment(), last.to, first);
      last.to += first;
      bytes += first;
    }
    if (block != null) {
      MemorySegment.copy(source, from + first, block.segment(), 0, rest);
      add(block, rest);
    }
  }

  private void add(Part part, long from, long length) {
    part.from = from;
    part.to = from + length;
    parts.add(part);
    bytes += length;
  }

  /** A taker of bytes, see {@link #take}. */
  @FunctionalInterface
  public interface Taker {
    /** Takes bytes of a block, which is valid during the call. */
    void take(Block block, int from, int to);
  }

  /** Passes the first block on. All parts must be blocks. Returns the number of its bytes. */
  public int take(Taker taker) {
    Part part = parts.remove();
    Block block = part.block;
    if (block == null) {
      throw new IllegalStateException("not a block");
    }
    int length = (int) (part.to - part.from);
    bytes -= length;
    try {
      taker.take(block, (int) part.from, (int) part.to);
    } finally {
      pool.release(block);
    }
    return length;
  }

  /**
   * Moves the first bytes to the end of a queue, behind a prefix, so that they leave together.
   *
   * @param length the number of bytes to move, at most {@link #bytes}
   * @throws IOException if a file or a buffer doesn't have the bytes; then nothing was moved
   */
  public void moveTo(OutboundQueue out, byte[] prefix, int length) throws IOException {
    Block target = out.reserve(prefix.length + length);
    int at = out.writeIndex();
    MemorySegment.copy(prefix, 0, target.segment(), ValueLayout.JAVA_BYTE, at, prefix.length);
    at += prefix.length;
    int left = length;
    for (Part part : parts) {
      if (left == 0) {
        break;
      }
      int count = (int) Math.min(left, part.to - part.from);
      copy(part, target, at, count);
      at += count;
      left -= count;
    }
    out.advance(prefix.length + length);
    drop(length);
  }

  private static void copy(Part part, Block target, int at, int count) throws IOException {
    if (part.array != null) {
      MemorySegment.copy(
          part.array, (int) part.from, target.segment(), ValueLayout.JAVA_BYTE, at, count);
    } else if (part.buffer != null) {
      MemorySegment all = MemorySegment.ofBuffer(part.buffer.duplicate().clear());
      try {
        MemorySegment.copy(all, part.from, target.segment(), at, count);
      } catch (IllegalStateException freed) {
        throw ContentFailedException.freed(freed);
      }
    } else if (part.block != null) {
      MemorySegment.copy(part.block.segment(), part.from, target.segment(), at, count);
    } else if (part.file != null) {
      read(part.file, part.from, target.range(at, at + count));
    }
  }

  private static void read(OpenFile file, long position, ByteBuffer target) throws IOException {
    boolean held = Interrupts.hold(); // a handler may be running
    int first = target.position();
    try {
      while (target.hasRemaining()) {
        if (file.channel().read(target, position + target.position() - first) < 0) {
          throw ContentFailedException.truncated(target.remaining());
        }
      }
    } catch (ClosedChannelException closed) {
      throw ContentFailedException.closed(closed);
    } finally {
      Interrupts.restore(held);
    }
  }

  /** Drops the first bytes. */
  private void drop(int length) {
    bytes -= length;
    long left = length;
    while (left > 0) {
      Part part = parts.element();
      long count = Math.min(left, part.to - part.from);
      part.from += count;
      left -= count;
      if (part.from == part.to) {
        parts.remove();
        release(part);
      }
    }
  }

  private void release(Part part) {
    if (part.block != null) {
      pool.release(part.block);
    }
    if (part.held != null) {
      part.held.release();
    }
  }

  /** Drops all bytes, and releases blocks and files. */
  public void clear() {
    bytes = 0;
    for (Part part = parts.poll(); part != null; part = parts.poll()) {
      release(part);
    }
  }
}
