package dev.peregrine.server.exchange.state;

import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.memory.OutboundQueue;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Content of a response whose length isn't known before it is complete: in an array while it is
 * short, then in blocks of the loop's memory. One per event loop; holds no block between two
 * responses. Short content is copied behind its head, which costs little beside making it: see
 * {@code JsonBenchmark}.
 */
public final class PooledOutput extends OutputStream {
  private static final int FIRST_BLOCK_BYTES =
      OutboundQueue.COPIED_BYTES_MAX + BufferPool.SLACK_BYTES;
  private static final int NEXT_BLOCK_BYTES = 64 * 1024;

  private final BufferPool pool;
  private final byte[] few =
      new byte[HttpStream.COPIED_CONTENT_BYTES_MAX]; // all bytes while blocks is empty
  private final List<Block> blocks = new ArrayList<>(); // all but the last are full
  private int lastBytes;
  private long length;
  private boolean open;

  public PooledOutput(BufferPool pool) {
    this.pool = pool;
  }

  /**
   * Lets a codec write. Returns false if a codec is writing already, because the code that it calls
   * sends another value.
   */
  public boolean open() {
    if (open) {
      return false;
    }
    open = true;
    return true;
  }

  /**
   * Ends the use that {@link #open} began, and drops written bytes that weren't moved to a stream.
   */
  public void end() {
    open = false;
    clear();
  }

  /** Returns the number of bytes written. */
  public long length() {
    return length;
  }

  /** Returns true if all bytes are in {@link #array}, from 0 to {@link #length}. */
  public boolean isShort() {
    return blocks.isEmpty();
  }

  /** Returns the array that holds the bytes while they are few. */
  public byte[] array() {
    return few;
  }

  @Override
  public void write(int b) {
    checkOpen();
    if (useArray(1)) {
      few[(int) length++] = (byte) b;
      return;
    }
    MemorySegment segment = block().segment();
    segment.set(ValueLayout.JAVA_BYTE, lastBytes, (byte) b);
    count(1);
  }

  @Override
  public void write(byte[] source, int from, int count) {
    Objects.checkFromIndexSize(from, count, source.length);
    checkOpen();
    if (useArray(count)) {
      System.arraycopy(source, from, few, (int) length, count);
      length += count;
      return;
    }
    int done = 0;
    while (done < count) {
      Block block = block();
      int part = Math.min(count - done, room(block) - lastBytes);
      MemorySegment.copy(
          source, from + done, block.segment(), ValueLayout.JAVA_BYTE, lastBytes, part);
      count(part);
      done += part;
    }
  }

  /** Returns true if more bytes fit the array; otherwise its bytes have moved to a block. */
  private boolean useArray(int bytes) {
    if (!blocks.isEmpty()) {
      return false;
    }
    if (bytes <= few.length - length) {
      return true;
    }
    int there = (int) length;
    MemorySegment.copy(few, 0, block().segment(), ValueLayout.JAVA_BYTE, 0, there);
    lastBytes = there;
    return false;
  }

  private void checkOpen() {
    if (!open || !pool.isOwned()) { // or open for the next response, to a thread that is late
      throw new IllegalStateException("a codec writes during its call only");
    }
  }

  private void count(int bytes) {
    lastBytes += bytes;
    length += bytes;
  }

  /** Returns a block with room for at least one byte. */
  private Block block() {
    if (!blocks.isEmpty() && lastBytes < room(blocks.getLast())) {
      return blocks.getLast();
    }
    Block block = pool.acquire(blocks.isEmpty() ? FIRST_BLOCK_BYTES : NEXT_BLOCK_BYTES);
    blocks.add(block);
    lastBytes = 0;
    return block;
  }

  private static int room(Block block) {
    return block.capacity() - BufferPool.SLACK_BYTES;
  }

  /** Gives all blocks to the stream; only if the content isn't short. */
  public void moveTo(HttpStream stream) {
    while (!blocks.isEmpty()) {
      Block block = blocks.removeFirst();
      try {
        stream.write(block, blocks.isEmpty() ? lastBytes : room(block));
      } catch (StackOverflowError lost) {
        throw lost; // the stream may own the block: rather lost than used twice
      } catch (Throwable failure) {
        pool.release(block);
        throw failure;
      }
    }
    clear();
  }

  /** Drops the written bytes. */
  void clear() {
    for (int i = 0; i < blocks.size(); i++) {
      pool.release(blocks.get(i));
    }
    blocks.clear();
    lastBytes = 0;
    length = 0;
  }
}
