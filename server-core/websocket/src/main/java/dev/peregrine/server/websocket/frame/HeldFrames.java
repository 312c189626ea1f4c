package dev.peregrine.server.websocket.frame;

import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import java.lang.foreign.MemorySegment;

/** A copy of frames that have arrived and can't be taken yet. Belongs to the loop. */
public final class HeldFrames {
  private final BufferPool pool;
  private final Block block;
  private final int to;
  private int from;

  /** Copies a range of a block. */
  public HeldFrames(BufferPool pool, Block source, int from, int to) {
    this.pool = pool;
    this.to = to - from;
    this.block = pool.acquire(to - from + BufferPool.SLACK_BYTES);
    MemorySegment.copy(source.segment(), from, block.segment(), 0, to - from);
  }

  public Block block() {
    return block;
  }

  public int from() {
    return from;
  }

  public int to() {
    return to;
  }

  /** Records that the bytes before an index were taken. */
  public void took(int before) {
    from = before;
  }

  public boolean isEmpty() {
    return from == to;
  }

  public void release() {
    pool.release(block);
  }
}
