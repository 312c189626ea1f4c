package dev.peregrine.server.memory;

import dev.peregrine.server.memory.lease.Releasable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Content of one message that waits until it may be sent or taken: arrays, buffers and files by
 * reference, blocks of the loop's memory. Used by one event loop's thread only.
 */
public final class ContentQueue {
  private final BufferPool pool;
  private @Nullable Part first; // linked: an array that can't grow would lose parts
  private @Nullable Part last; // null if there is none
  private long bytes;

  /** Bytes of one source: exactly one of the first four references is set. */
  private static final class Part {
    byte @Nullable [] array;
    @Nullable ByteBuffer buffer;
    @Nullable Block block;
    @Nullable OpenFile file;
    @Nullable Releasable held; // the file, or the lease of the buffer
    @Nullable Part next;
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
    for (Part part = first; part != null; part = part.next) {
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

  /** Adds the first bytes of a block, which is the queue's from now on, unless this throws. */
  public void add(Block source, int length) {
    Part part = new Part();
    part.block = source;
    add(part, 0, length);
  }

  /** Adds a part of a file, and takes over one use of it, even if it fails. */
  public void add(OpenFile source, long position, long length) {
    Part part;
    try {
      part = new Part();
    } catch (Throwable noMemory) {
      source.release();
      throw noMemory;
    }
    part.file = source;
    part.held = source;
    add(part, position, length);
  }

  /** Adds a copy of bytes: to the last block as far as they fit, the rest in a new one. */
  public void addCopy(MemorySegment source, long from, int length) {
    Part tail = last;
    int fitting = Math.min(length, room(tail));
    int rest = length - fitting;
    Block block = rest == 0 ? null : pool.acquire(rest + BufferPool.SLACK_BYTES);
    if (tail != null && tail.block != null && fitting > 0) {
      MemorySegment.copy(source, from, tail.block.segment(), tail.to, fitting);
      tail.to += fitting;
      bytes += fitting;
    }
    if (block != null) {
      MemorySegment.copy(source, from + fitting, block.segment(), 0, rest);
      addOrRelease(block, rest);
    }
  }

  private static int room(@Nullable Part part) {
    return part == null || part.block == null
        ? 0
        : part.block.capacity() - BufferPool.SLACK_BYTES - (int) part.to;
  }

  private void addOrRelease(Block block, int length) {
    try {
      add(block, length);
    } catch (StackOverflowError unsure) {
      throw unsure; // the queue may own the block: rather lost than used twice
    } catch (Throwable noMemory) {
      pool.release(block);
      throw noMemory;
    }
  }

  private void add(Part part, long from, long length) {
    part.from = from;
    part.to = from + length;
    if (last == null) {
      first = part;
    } else {
      last.next = part;
    }
    last = part;
    bytes += length;
  }

  private @Nullable Part poll() {
    Part part = first;
    if (part != null) {
      first = part.next;
      if (first == null) {
        last = null;
      }
    }
    return part;
  }

  /** A taker of bytes, see {@link #take}. */
  @FunctionalInterface
  public interface Taker {
    /** Takes bytes of a block, which is valid during the call. */
    void take(Block block, int from, int to);
  }

  /** Passes the first block on. All parts must be blocks. Returns the number of its bytes. */
  public int take(Taker taker) {
    Part part = poll();
    Block block = part == null ? null : part.block;
    if (part == null || block == null) {
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
    for (Part part = first; part != null && left > 0; part = part.next) {
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
      part.file.read(target.range(at, at + count), part.from);
    }
  }

  /** Drops the first bytes. */
  private void drop(int length) {
    bytes -= length;
    long left = length;
    for (Part part = first; part != null && left > 0; part = first) {
      long count = Math.min(left, part.to - part.from);
      part.from += count;
      left -= count;
      if (part.from == part.to) {
        poll();
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
    for (Part part = poll(); part != null; part = poll()) {
      release(part);
    }
  }
}
