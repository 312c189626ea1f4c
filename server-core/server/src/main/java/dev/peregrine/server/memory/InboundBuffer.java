package dev.peregrine.server.memory;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that were received and not yet consumed, of the one connection whose turn it is. They
 * lie in memory of the loop. Bytes that are left at the end of a turn move to a block of the
 * connection, and back at its next turn. So an idle connection holds no buffer. A read fills one
 * block, because several gain nothing ({@code ScatterReadBenchmark}).
 */
public final class InboundBuffer implements Runnable {
  /**
   * The largest usual read in bytes. It bounds the work of a turn, and the bytes that it may leave.
   */
  static final int READ_BYTES = 64 * 1024;

  /**
   * The largest long read in bytes. Content of 1 MiB that is sent back takes 0.7 of the processor
   * time that it does with 64 KiB; 128 KiB gain little, and 512 KiB no more.
   */
  static final int LONG_READ_BYTES = 256 * 1024;

  // Up to this many bytes move back into the loop's memory at the next turn. More stay in their
  // block, which grows, so that a head that arrives byte by byte isn't copied at each byte.
  private static final int MOVED_BYTES_MAX = 4 * 1024;

  private final BufferPool pool;
  private Block home;
  private Block block;
  private boolean isLong;
  private int from;
  private int to;
  private boolean lent;

  /** Creates the buffer of a loop. */
  public InboundBuffer(BufferPool pool) {
    this.pool = pool;
    this.home = pool.acquire(READ_BYTES);
    this.block = home;
    home.beforePin = this;
  }

  public MemorySegment segment() {
    return block.segment();
  }

  /** Returns true for the memory that the loop keeps as long as it runs. */
  public boolean isHome(MemorySegment memory) {
    return memory.isNative() && memory.address() == home.address();
  }

  /** Returns the block that the bytes lie in. */
  public Block block() {
    return block;
  }

  /** Returns the index of the first byte not yet consumed. */
  public int from() {
    return from;
  }

  /** Returns the index after the last byte received. */
  public int to() {
    return to;
  }

  public boolean isEmpty() {
    return from == to;
  }

  /** Consumes the bytes before an index. */
  public void consumeTo(int index) {
    if (index < from || index > to) {
      throw new IndexOutOfBoundsException(index);
    }
    from = index;
  }

  /** Consumes all bytes. */
  public void consumeAll() {
    from = to;
  }

  /** Lends the block to an outbound queue for this turn. Returns true once in a turn. */
  public boolean lend() {
    boolean first = !lent;
    lent = true;
    return first;
  }

  /** Returns true if the block is lent in this turn. */
  public boolean isLent() {
    return lent;
  }

  /**
   * Leaves the present block to the caller, because a handler still reads it. The unconsumed bytes
   * move to another one.
   *
   * @param next from {@link #acquireNext}
   */
  public void giveBlock(Block next) {
    Block left = block;
    if (left == home) {
      moveHome(next);
    }
    MemorySegment.copy(left.segment(), from, next.segment(), 0, to - from);
    to -= from;
    from = 0;
    block = next;
    isLong = false;
  }

  /**
   * Reads into another block from the next turn on, because the loop's is about to be pinned. The
   * bytes that are left in it move at the end of the turn, as those of a long read do.
   */
  @Override
  public void run() {
    Block left = home;
    moveHome(pool.acquire(READ_BYTES));
    if (block == left) {
      isLong = true;
    } else {
      pool.release(left);
    }
  }

  private void moveHome(Block next) {
    home.beforePin = null;
    next.beforePin = this;
    home = next;
  }

  /** Acquires the block for {@link #giveBlock}. */
  public Block acquireNext() {
    return pool.acquire(block == home ? READ_BYTES : to - from + BufferPool.SLACK_BYTES);
  }

  /**
   * Begins a turn.
   *
   * @param carried the bytes that the connection has carried over; null for none
   */
  public void begin(@Nullable Block carried) {
    lent = false;
    from = 0;
    to = 0;
    block = home;
    if (carried == null) {
      return;
    }
    from = carried.contentFrom();
    to = carried.contentTo();
    if (to - from <= MOVED_BYTES_MAX) {
      to -= from;
      MemorySegment.copy(carried.segment(), from, home.segment(), 0, to);
      from = 0;
      pool.release(carried);
    } else {
      block = carried;
    }
  }

  /**
   * Reads once, after the present bytes, until the buffer has at most the given number. Returns how
   * many were read, or -1 at the end of the stream.
   *
   * @param expected how many bytes the protocol will consume as soon as they arrive. If that is
   *     more than a usual read, at most these are read, into a block for this turn only
   */
  public int read(ReadableByteChannel channel, int bytesMax, long expected) throws IOException {
    if (expected <= READ_BYTES) {
      return readOn(channel, bytesMax);
    }
    if (block == home && to == 0) {
      block = pool.acquire(LONG_READ_BYTES);
      isLong = true;
    }
    return readOn(channel, (int) Math.min(bytesMax, expected));
  }

  private int readOn(ReadableByteChannel channel, int bytesMax) throws IOException {
    int end = block.capacity() - BufferPool.SLACK_BYTES;
    if (to == end) {
      grow();
      end = block.capacity() - BufferPool.SLACK_BYTES;
    }
    int n = channel.read(block.range(to, to + Math.min(end - to, bytesMax - (to - from))));
    if (n > 0) {
      to += n;
    }
    return n;
  }

  /** Ends a turn. Returns the bytes that are left, for the connection to carry; null for none. */
  public @Nullable Block end() {
    Block carried = null;
    int bytes = to - from;
    boolean stays = block == home || isLong;
    if (bytes > 0 && stays) {
      carried = pool.acquire(bytes + BufferPool.SLACK_BYTES);
      MemorySegment.copy(block.segment(), from, carried.segment(), 0, bytes);
      carried.content(0, bytes);
    } else if (bytes > 0) {
      block.content(from, to); // not copied, because a turn may consume a few bytes of many
      carried = block;
    }
    if (block != home && (isLong || bytes == 0)) {
      pool.release(block);
    }
    block = home;
    isLong = false;
    from = 0;
    to = 0;
    return carried;
  }

  /** Releases the memory of the loop. */
  public void close() {
    home.beforePin = null;
    pool.release(home);
  }

  private void grow() {
    int bytes = to - from;
    Block larger = pool.acquire(2 * (bytes + BufferPool.SLACK_BYTES));
    MemorySegment.copy(block.segment(), from, larger.segment(), 0, bytes);
    if (block != home) {
      pool.release(block);
    }
    block = larger;
    isLong = false;
    from = 0;
    to = bytes;
  }
}
