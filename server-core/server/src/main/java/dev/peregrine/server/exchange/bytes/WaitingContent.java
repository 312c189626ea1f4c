package dev.peregrine.server.exchange.bytes;

import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BlockQueue;
import dev.peregrine.server.memory.BufferPool;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Content that waits for one reader of another thread, in blocks of the loop's memory. All calls
 * are made by the reader's lock; those that acquire or release blocks, on the loop's thread as
 * well. {@code LentBlocksBenchmark} has the cost of the copy, which is small beside that of a turn.
 */
public final class WaitingContent {
  private static final int BLOCK_BYTES_MAX = 64 * 1024;

  /** The capacity of a block that may be held for as long as it takes. */
  private static final int FEW_BYTES = 16 * 1024;

  private final BufferPool pool;
  private final BlockQueue blocks = new BlockQueue(); // with bytes to read
  private final BlockQueue spent = new BlockQueue(); // read to their end
  private int bytes;
  private byte @Nullable [] kept; // the bytes to read once the blocks had to go
  private int keptFrom;

  public WaitingContent(BufferPool pool) {
    this.pool = pool;
  }

  /** Returns the number of bytes to read. */
  public int bytes() {
    return bytes;
  }

  /**
   * Returns true if {@link #releaseSpent} would release enough to be worth a turn of the loop.
   *
   * @param ended true if no bytes will be added
   */
  public boolean hasBlocksToRelease(boolean ended) {
    Block last = blocks.peekLast();
    return !spent.isEmpty()
        || (ended
            && bytes == 0
            && last != null
            && (last.capacity() > FEW_BYTES || !blocks.hasOne()));
  }

  /** Adds a copy of bytes; on the loop. */
  public void add(ReceivedBytes source) {
    MemorySegment all = source.block().segment();
    int from = source.from();
    int left = source.length();
    while (left > 0) {
      Block last = blockWithRoom(left);
      int count = Math.min(left, room(last));
      MemorySegment.copy(all, from, last.segment(), last.contentTo(), count);
      last.content(last.contentFrom(), last.contentTo() + count);
      bytes += count;
      from += count;
      left -= count;
    }
  }

  private Block blockWithRoom(int wanted) {
    Block last = blocks.peekLast();
    if (last != null && room(last) > 0) {
      return last;
    }
    int size = Math.min(wanted + BufferPool.SLACK_BYTES, BLOCK_BYTES_MAX);
    Block next = spentBlock(size);
    if (next == null) {
      next = pool.acquire(size);
    }
    next.content(0, 0);
    blocks.add(next);
    return next;
  }

  /**
   * Returns a spent block of that size, or null. Releases the others: a reader that is never quite
   * done would otherwise leave more of them with each piece.
   */
  private @Nullable Block spentBlock(int size) {
    Block found = null;
    for (Block block = spent.poll(); block != null; block = spent.poll()) {
      if (found == null && block.capacity() >= size) {
        found = block;
      } else {
        pool.release(block);
      }
    }
    return found;
  }

  private static int room(Block block) {
    return block.capacity() - BufferPool.SLACK_BYTES - block.contentTo();
  }

  /** Moves the first bytes to an array. Returns their number, which is 0 if none wait. */
  public int read(byte[] target, int from, int length) {
    int done = 0;
    while (done < length && bytes > 0) {
      done += readSome(target, from + done, length - done);
    }
    return done;
  }

  private int readSome(byte[] target, int from, int length) {
    byte[] array = kept;
    if (array != null) {
      int count = Math.min(length, bytes);
      System.arraycopy(array, keptFrom, target, from, count);
      keptFrom += count;
      bytes -= count;
      return count;
    }
    Block first = Objects.requireNonNull(blocks.peek());
    int start = first.contentFrom();
    int count = Math.min(length, first.contentTo() - start);
    MemorySegment.copy(first.segment(), ValueLayout.JAVA_BYTE, start, target, from, count);
    first.content(start + count, first.contentTo());
    bytes -= count;
    if (start + count == first.contentTo()) {
      passFirst(first);
    }
    return count;
  }

  /** The first block has been read: it is used again if it is the last, too. */
  private void passFirst(Block first) {
    if (blocks.hasOne()) {
      first.content(0, 0);
    } else {
      spent.add(Objects.requireNonNull(blocks.poll()));
    }
  }

  /** Drops the bytes to read. None may be added afterwards. */
  public void drop() {
    bytes = 0;
    kept = null;
  }

  /** Releases the blocks that have no bytes to read; on the loop. */
  public void releaseSpent() {
    release(spent);
    if (bytes == 0) {
      release(blocks);
    }
  }

  /**
   * Releases all blocks. Bytes to read are kept in an array; if there is no memory for it, they are
   * dropped. On the loop.
   */
  public void releaseAll() {
    try {
      if (bytes > 0 && kept == null) {
        byte[] rest = new byte[bytes];
        bytes = read(rest, 0, rest.length);
        kept = rest;
      }
    } finally {
      if (kept == null) {
        bytes = 0;
      }
      release(spent);
      release(blocks);
    }
  }

  private void release(BlockQueue released) {
    for (Block block = released.poll(); block != null; block = released.poll()) {
      pool.release(block);
    }
  }
}
