package dev.peregrine.server.memory;

import dev.peregrine.server.memory.lease.Releasable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One contiguous run of bytes of an {@link OutboundQueue}, in one of these forms:
 *
 * <pre>
 *   run         block, buffer         bytes in a block that the queue owns; more may be added
 *   reference   buffer                bytes of the application's buffer
 *   loan        buffer, lent          bytes of a block that another owner wants back
 *   staged      heap or closeable     bytes that a write can't take where they lie: they are
 *                                     copied to a block part by part, the last of which is a run
 *   file        file                  bytes that the system reads itself
 * </pre>
 *
 * What is left of all but a file is {@link #from} to {@link #to} in the buffer; of a staged piece,
 * that and then {@link #stagedFrom} to {@link #stagedTo} of its source. The queue keeps its pieces
 * and uses them again, in any form.
 */
final class Piece {
  private static final int NO_ROOM = -1;

  @Nullable Block block; // released with the piece
  @Nullable ByteBuffer buffer; // that of the block, if there is one
  int from;
  int to;
  private int limit = NO_ROOM; // of bytes that are added to a run
  boolean lent;

  private byte @Nullable [] heap;
  @Nullable MemorySegment closeable; // of an arena that the application can close
  private int stagedFrom;
  private int stagedTo;

  @Nullable OpenFile file;
  long filePosition;
  long fileBytes;

  @Nullable Releasable held; // the file, or the lease of the buffer: released with the piece

  // ---- the forms ----

  /** Becomes a run, which has these bytes of the block. */
  void own(Block memory, int start, int end) {
    block = memory;
    limit = memory.capacity() - BufferPool.SLACK_BYTES;
    refer(memory.buffer, start, end);
  }

  /**
   * Becomes an empty run that takes over the block of a run that is sent before it, and begins
   * after its bytes. Returns the block.
   */
  Block follow(Piece run) {
    Block shared = Objects.requireNonNull(run.block);
    own(shared, run.to, run.to);
    run.block = null; // it still has the buffer
    run.limit = NO_ROOM;
    return shared;
  }

  /** Becomes a reference to bytes of a buffer. */
  void refer(ByteBuffer source, int start, int end) {
    buffer = source;
    from = start;
    to = end;
  }

  /** Becomes a loan. */
  void borrow(Block lender, int start, int end) {
    refer(lender.buffer, start, end);
    lent = true;
  }

  /** Becomes a run that has a copy of the lent bytes. */
  void endLoan(BufferPool pool) {
    int bytes = to - from;
    Block copy = pool.acquire(bytes + BufferPool.SLACK_BYTES);
    ByteBuffer source = Objects.requireNonNull(buffer);
    copy.buffer.clear().put(0, source.clear(), from, bytes);
    own(copy, 0, bytes);
    lent = false;
  }

  /** Becomes staged, from an array. */
  void stage(byte[] source, int start, int end) {
    heap = source;
    stagedFrom = start;
    stagedTo = end;
  }

  /** Becomes staged, from memory that the application can free. */
  void stage(MemorySegment source, int bytes) {
    closeable = source;
    stagedFrom = 0;
    stagedTo = bytes;
  }

  /** Becomes a part of a file, which is released with the piece. */
  void refer(OpenFile source, long position, long bytes) {
    file = source;
    held = source;
    filePosition = position;
    fileBytes = bytes;
  }

  // ---- what is left ----

  /** Returns the number of bytes that may be added after this piece; negative if it can't grow. */
  int room() {
    return limit - to;
  }

  /** Returns true if more bytes are to be staged. */
  boolean isStaged() {
    return heap != null || closeable != null;
  }

  /** Returns the buffer, positioned on the bytes that can be written now. */
  ByteBuffer writable(BufferPool pool, OutboundChannel channel) throws ContentFailedException {
    if (from == to && isStaged()) {
      if (heap != null && block == null && channel.takesArrays()) {
        referToArray(heap);
      } else {
        stageNext(pool);
      }
    }
    return Objects.requireNonNull(buffer).limit(to).position(from);
  }

  /** Becomes a reference to the array of which nothing is staged yet. */
  private void referToArray(byte[] whole) {
    refer(ByteBuffer.wrap(whole), stagedFrom, stagedTo);
    heap = null;
  }

  /** Copies the next part to the block. */
  private void stageNext(BufferPool pool) throws ContentFailedException {
    int left = stagedTo - stagedFrom;
    Block target = block;
    if (target == null) {
      target = pool.acquire(Math.min(left + BufferPool.SLACK_BYTES, OutboundQueue.RUN_BLOCK_BYTES));
      block = target;
      buffer = target.buffer;
    }
    int bytes = Math.min(left, target.capacity() - BufferPool.SLACK_BYTES);
    copyTo(target, bytes);
    stagedFrom += bytes;
    from = 0;
    to = bytes;
    if (bytes == left) {
      heap = null;
      closeable = null;
      limit = target.capacity() - BufferPool.SLACK_BYTES;
    }
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

  /** Drops the references, so that the piece may take any form. */
  void clear() {
    block = null;
    buffer = null;
    heap = null;
    closeable = null;
    file = null;
    held = null;
    from = 0;
    to = 0;
    limit = NO_ROOM;
    lent = false;
  }
}
