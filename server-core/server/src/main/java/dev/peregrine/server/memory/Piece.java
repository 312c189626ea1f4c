package dev.peregrine.server.memory;

import dev.peregrine.server.memory.lease.Releasable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One contiguous run of bytes of an {@link OutboundQueue}: in a block of the queue's own (to which
 * more may be added), in a foreign buffer, in a file, or in a heap array or memory that can be
 * freed, which is staged through a block part by part.
 */
final class Piece {
  private static final int NO_ROOM = -1;

  @Nullable Block block;
  @Nullable ByteBuffer buffer;
  byte @Nullable [] heap;
  @Nullable MemorySegment closeable; // of an arena that the application can close
  int stagedFrom;
  int stagedTo;
  @Nullable OpenFile file;
  @Nullable Releasable held; // the file, or the lease of the buffer
  long filePosition;
  long fileBytes;
  int from;
  int to;
  int end = NO_ROOM; // the limit of bytes that are added
  boolean lent;

  void own(Block memory) {
    block = memory;
    buffer = memory.buffer;
    end = memory.capacity() - BufferPool.SLACK_BYTES;
  }

  /** Returns the number of bytes that may be added after this piece; negative if it can't grow. */
  int room() {
    return end - to;
  }

  /** Returns the buffer, positioned on the bytes that can be written now. */
  ByteBuffer stage(BufferPool pool, OutboundChannel channel) throws ContentFailedException {
    if (heap != null && block == null && channel.takesArrays()) {
      buffer = ByteBuffer.wrap(heap);
      from = stagedFrom;
      to = stagedTo;
      heap = null;
    } else if (isStaged() && from == to) {
      if (block == null) {
        int room = stagedTo - stagedFrom + BufferPool.SLACK_BYTES;
        block = pool.acquire(Math.min(room, OutboundQueue.RUN_BLOCK_BYTES));
        buffer = block.buffer;
      }
      int bytes = Math.min(stagedTo - stagedFrom, block.capacity() - BufferPool.SLACK_BYTES);
      copyTo(block, bytes);
      stagedFrom += bytes;
      from = 0;
      to = bytes;
      if (stagedFrom == stagedTo) {
        heap = null;
        closeable = null;
        end = block.capacity() - BufferPool.SLACK_BYTES;
      }
    }
    return Objects.requireNonNull(buffer).limit(to).position(from);
  }

  /** Returns true if more bytes are to be staged. */
  boolean isStaged() {
    return heap != null || closeable != null;
  }

  private void copyTo(Block target, int bytes) throws ContentFailedException {
    if (heap != null) {
      target.copy(heap, stagedFrom, 0, bytes);
      return;
    }
    MemorySegment source = Objects.requireNonNull(closeable);
    try {
      MemorySegment.copy(source, stagedFrom, target.segment(), 0, bytes);
    } catch (IllegalStateException freed) {
      throw ContentFailedException.freed(freed);
    }
  }

  void clear() {
    block = null;
    buffer = null;
    heap = null;
    closeable = null;
    stagedFrom = 0;
    file = null;
    held = null;
    from = 0;
    to = 0;
    end = NO_ROOM;
    lent = false;
  }
}
