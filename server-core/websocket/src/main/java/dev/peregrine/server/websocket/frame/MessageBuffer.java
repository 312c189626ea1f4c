package dev.peregrine.server.websocket.frame;

import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Collects the bytes of a message that doesn't arrive at once, in one block of pooled memory that
 * grows with the bytes that have arrived. Holds no block while it is empty. Belongs to the loop.
 */
public final class MessageBuffer {
  /** The index of the message in its block, after room for the head of a frame. */
  public static final int FROM = 16;

  private final BufferPool pool;
  private @Nullable Block block;
  private int length;

  public MessageBuffer(BufferPool pool) {
    this.pool = pool;
  }

  public boolean isEmpty() {
    return length == 0;
  }

  public int length() {
    return length;
  }

  /**
   * Adds a copy of bytes.
   *
   * @param lengthExpected the length that is known to follow, at least the one with these bytes:
   *     the block becomes as large at once if that is at most twice what has arrived
   */
  public void add(MemorySegment source, int from, int bytes, long lengthExpected) {
    if (bytes == 0) {
      return;
    }
    Block target = withRoom(length + bytes, lengthExpected);
    MemorySegment.copy(source, from, target.segment(), FROM + length, bytes);
    length += bytes;
  }

  private Block withRoom(int needed, long lengthExpected) {
    Block present = block;
    if (present != null && present.capacity() - BufferPool.SLACK_BYTES >= FROM + needed) {
      return present;
    }
    int wanted = (int) Math.max(needed, Math.min(lengthExpected, 2L * needed));
    Block larger = pool.acquire(FROM + wanted + BufferPool.SLACK_BYTES);
    if (present != null) {
      MemorySegment.copy(present.segment(), FROM, larger.segment(), FROM, length);
      pool.release(present);
    }
    block = larger;
    return larger;
  }

  /**
   * Returns the block with the bytes, from {@link #FROM} on, which is the caller's from now on, and
   * becomes empty.
   */
  public Block take() {
    Block taken = Objects.requireNonNull(block);
    block = null;
    length = 0;
    return taken;
  }

  /** Drops the bytes. */
  public void release() {
    Block present = block;
    if (present != null) {
      block = null;
      length = 0;
      pool.release(present);
    }
  }
}
