package dev.peregrine.server.memory;

import dev.peregrine.base.Interrupts;
import dev.peregrine.server.memory.lease.Releasable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes on their way out, in order: runs encoded into pooled blocks, large bodies kept by
 * reference, parts of files. {@link #writeTo} hands as many of them as possible to the channel in
 * one gathered write; parts of files take no memory. Used by one event loop's thread only.
 */
public final class OutboundQueue {
  /**
   * Content above this size is kept by reference, shorter content is copied after its head; see
   * {@code GatheredWriteBenchmark}.
   */
  public static final int COPIED_BYTES_MAX = 16 * 1024;

  // The kernel takes 1,024 pieces per call. More than a handful show no gain, and this bounds a
  // turn.
  private static final int GATHERED_PIECES_MAX = 16;
  static final int RUN_BLOCK_BYTES = 64 * 1024;

  // Bounds a turn, in which a fast peer would otherwise receive a whole file. Twice as much has no
  // gain.
  private static final int FILE_BYTES_PER_WRITE_MAX = 256 * 1024;

  private final BufferPool pool;
  private final Consumer<Throwable> onGap;
  private final @Nullable ByteBuffer[] gathered = new ByteBuffer[GATHERED_PIECES_MAX];
  private final PieceRing pieces = new PieceRing();
  private long pendingBytes;
  private @Nullable Block spare; // the last run's block, still hot in the cache

  /** Creates a queue whose owner sees from exceptions alone that bytes are missing. */
  public OutboundQueue(BufferPool pool) {
    this(pool, failure -> {});
  }

  /**
   * Creates a queue.
   *
   * @param onGap called when bytes can't be added, for lack of memory or because a buffer's memory
   *     is gone, before the call throws: later bytes must not be sent, even if the caller's caller
   *     catches the exception. Doesn't throw
   */
  public OutboundQueue(BufferPool pool, Consumer<Throwable> onGap) {
    this.pool = pool;
    this.onGap = onGap;
  }

  /** Returns the number of bytes not yet taken by the channel. */
  public long pendingBytes() {
    return pendingBytes;
  }

  public boolean isEmpty() {
    return pendingBytes == 0;
  }

  /**
   * Reserves room for contiguous bytes. The caller writes them into the returned block from {@link
   * #writeIndex} on, then counts them with {@link #advance}. It may overwrite up to {@link
   * BufferPool#SLACK_BYTES} bytes after them.
   */
  Block reserve(int bytes) {
    Piece last = pieces.last();
    if (last.room() >= bytes) {
      return Objects.requireNonNull(last.block);
    }
    try {
      return beginRun(bytes);
    } catch (Throwable noMemory) {
      onGap.accept(noMemory);
      throw noMemory;
    }
  }

  /**
   * Adds a run. It may share the block of the run in front of a file, because runs on both sides of
   * a file aren't gathered in one write: a response of many ranges, whose heads stand between parts
   * of a file, holds one block while it waits.
   */
  private Block beginRun(int bytes) {
    Piece piece = nextPiece(); // before the block, which would be lost if this failed
    Piece before = pieces.beforeLast();
    if (pieces.last().file != null && before.room() >= bytes) {
      pieces.add(piece);
      return piece.follow(before);
    }
    Block block = spare;
    if (block != null && block.capacity() - BufferPool.SLACK_BYTES >= bytes) {
      spare = null;
    } else {
      block = pool.acquire(Math.max(bytes + BufferPool.SLACK_BYTES, RUN_BLOCK_BYTES));
    }
    pieces.add(piece);
    piece.own(block, 0, 0);
    return block;
  }

  /** Returns the index in the block at which the reserved bytes begin. */
  int writeIndex() {
    return pieces.last().to;
  }

  /** Counts bytes that were written at {@link #writeIndex}. */
  void advance(int bytes) {
    Piece last = pieces.last();
    if (bytes < 0 || bytes > last.room()) {
      throw new IndexOutOfBoundsException(bytes);
    }
    last.to += bytes;
    pendingBytes += bytes;
  }

  /** Adds a copy of native bytes. */
  public void append(MemorySegment source, long from, int bytes) {
    Block block = reserve(bytes);
    MemorySegment.copy(source, from, block.segment(), writeIndex(), bytes);
    advance(bytes);
  }

  /** Adds a copy of heap bytes, of any number. */
  public void appendCopy(byte[] source, int from, int bytes) {
    Block block = reserve(bytes);
    block.copy(source, from, writeIndex(), bytes);
    advance(bytes);
  }

  /**
   * Adds heap bytes: a copy when they are few, otherwise the array itself, not to be changed until
   * sent.
   */
  public void append(byte[] source, int from, int bytes) {
    Objects.checkFromIndexSize(from, bytes, source.length);
    if (bytes <= COPIED_BYTES_MAX) {
      appendCopy(source, from, bytes);
    } else {
      add().stage(source, from, from + bytes);
      pendingBytes += bytes;
    }
  }

  /**
   * Adds a buffer's remaining bytes: a copy when they are few, otherwise by reference, not to be
   * changed until sent. The buffer's position and limit stay as they are, unless its lease is
   * taken, which a reference does.
   *
   * @throws IllegalStateException if they are few and the buffer's arena is closed
   */
  public void append(ByteBuffer source) {
    int bytes = source.remaining();
    if (bytes > COPIED_BYTES_MAX && source.isDirect()) {
      appendReference(source, bytes);
    } else if (source.hasArray()) {
      append(source.array(), source.arrayOffset() + source.position(), bytes);
      if (bytes > COPIED_BYTES_MAX) {
        pieces.last().held = pool.leases().take(source);
      }
    } else {
      for (int done = 0; done < bytes; ) {
        int part = Math.min(bytes - done, COPIED_BYTES_MAX);
        Block block = reserve(part);
        try {
          block.buffer.clear().put(writeIndex(), source, source.position() + done, part);
        } catch (RuntimeException freed) {
          onGap.accept(freed);
          throw freed;
        }
        advance(part);
        done += part;
      }
    }
  }

  private void appendReference(ByteBuffer source, int bytes) {
    MemorySegment memory = pool.leases().isLasting(source) ? null : MemorySegment.ofBuffer(source);
    Piece piece = add();
    Releasable lease = pool.leases().take(source);
    piece.held = lease;
    if (memory == null) {
      ByteBuffer own = lease == null ? source.duplicate() : source;
      piece.refer(own, source.position(), source.limit());
    } else {
      piece.stage(memory, bytes);
    }
    pendingBytes += bytes;
  }

  /**
   * Adds a part of a file: a copy when it is small, read at once, otherwise by reference. Takes
   * over one use of the file, even if it fails. The file is open for reading, or closed.
   *
   * @throws ContentFailedException if the part is small and the file is closed, or too short
   * @throws IOException if it can't be read for another reason
   */
  public void append(OpenFile file, long position, long bytes) throws IOException {
    boolean kept = false;
    try {
      if (bytes > COPIED_BYTES_MAX) {
        add().refer(file, position, bytes);
        pendingBytes += bytes;
        kept = true;
      } else {
        Block block = reserve((int) bytes);
        file.read(block.range(writeIndex(), writeIndex() + (int) bytes), position);
        advance((int) bytes);
      }
    } finally {
      if (!kept) {
        file.release();
      }
    }
  }

  /**
   * Adds bytes of a block that the caller lends until it calls {@link #endLoan}. The block must not
   * be lent twice at a time.
   */
  public void appendLoan(Block lent, int from, int to) {
    add().borrow(lent, from, to);
    pendingBytes += to - from;
  }

  /** Adds bytes of a block, which is the queue's from now on, unless this throws. */
  public void appendOwned(Block block, int from, int to) {
    add().own(block, from, to);
    pendingBytes += to - from;
  }

  /** Copies the rest of lent bytes, so that the lender may use its block again. */
  public void endLoan() {
    for (int i = 0; i < pieces.count(); i++) {
      Piece piece = pieces.get(i);
      if (piece.lent) {
        piece.endLoan(pool);
      }
    }
  }

  /**
   * Writes once. Returns true if the channel took all offered bytes. If bytes are still pending
   * then, another call may send more. Like {@code Http1.onInput}, too long to be inlined by C2.
   */
  public boolean writeTo(OutboundChannel channel) throws IOException {
    assert pool.isOwned() : "a loop's queue is written by " + Thread.currentThread();
    int count = pieces.count();
    if (count > 0 && pieces.get(0).file != null) {
      return sendFile(channel, pieces.get(0));
    }
    int n = 0;
    long offered = 0;
    boolean more = true;
    while (more && n < count && n < GATHERED_PIECES_MAX) {
      Piece piece = pieces.get(n);
      if (piece.file != null || (piece.closeable != null && n > 0)) {
        break; // the bytes before it leave, even if it fails
      }
      if (piece.held != null && isGathered(piece, n)) {
        break; // it has one position: its owner has leased it twice at a time
      }
      ByteBuffer bytes = piece.writable(pool, channel);
      gathered[n++] = bytes;
      offered += bytes.remaining();
      more = !piece.isStaged(); // otherwise the rest of it precedes the next piece
    }
    try {
      long written =
          switch (n) {
            case 0 -> 0;
            case 1 -> channel.write(gathered[0]);
            default -> channel.write(gathered, 0, n);
          };
      if (written > offered) {
        throw ContentFailedException.changed();
      }
      pendingBytes -= written;
      long left = written;
      while (pieces.count() > 0) {
        Piece piece = pieces.get(0);
        int here = (int) Math.min(left, piece.to - piece.from);
        piece.from += here;
        left -= here;
        if (piece.from < piece.to || piece.isStaged() || piece.file != null) {
          break;
        }
        removeFirst();
      }
      return written == offered;
    } finally {
      Arrays.fill(gathered, 0, n, null);
    }
  }

  /** Returns true if the buffer of a piece is among those that are gathered. */
  @SuppressWarnings("ReferenceEquality") // another buffer may have the same content
  private boolean isGathered(Piece piece, int gatheredCount) {
    for (int i = 0; i < gatheredCount; i++) {
      if (gathered[i] == piece.buffer) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if all of the file's part is sent; if not, the rest waits for another turn. */
  private boolean sendFile(OutboundChannel channel, Piece piece) throws IOException {
    FileChannel file = Objects.requireNonNull(piece.file).channel();
    long most = Math.min(piece.fileBytes, FILE_BYTES_PER_WRITE_MAX);
    long sent;
    boolean held = Interrupts.hold();
    try {
      sent = channel.sendFile(file, piece.filePosition, most);
      if (sent == 0 && file.size() <= piece.filePosition) {
        throw ContentFailedException.truncated(piece.fileBytes);
      }
    } catch (ClosedChannelException closed) {
      throw file.isOpen() ? closed : ContentFailedException.closed(closed);
    } finally {
      Interrupts.restore(held);
    }
    piece.filePosition += sent;
    piece.fileBytes -= sent;
    pendingBytes -= sent;
    if (piece.fileBytes > 0) {
      return false;
    }
    removeFirst();
    return true;
  }

  /** Drops all pending bytes, and releases blocks and files. */
  public void clear() {
    Throwable failure = null;
    while (pieces.count() > 0) {
      try {
        removeFirst();
      } catch (Throwable kept) {
        failure = kept; // the other pieces must not stay: they would go to the next connection
      }
    }
    pendingBytes = 0;
    releaseSpare();
    if (failure != null) {
      throw new IllegalStateException("giving back what was unsent failed", failure);
    }
  }

  /** Releases the block that is kept for the next run, because a queue may wait for long. */
  public void releaseSpare() {
    if (spare != null) {
      pool.release(spare);
      spare = null;
    }
  }

  private Piece add() {
    try {
      Piece piece = nextPiece();
      pieces.add(piece);
      return piece;
    } catch (Throwable noMemory) {
      onGap.accept(noMemory);
      throw noMemory;
    }
  }

  /** Returns the piece that is added next; may allocate, and changes nothing if that fails. */
  private Piece nextPiece() {
    assert pool.isOwned() : "a loop's queue is filled by " + Thread.currentThread();
    return pieces.next();
  }

  private void removeFirst() {
    Piece piece = pieces.get(0);
    Block block = piece.block;
    Releasable held = piece.held;
    piece.clear();
    pieces.removeFirst();
    if (held != null) {
      held.release();
    }
    if (block == null) {
      return;
    }
    if (spare == null && pieces.mayKeep(block)) {
      spare = block;
    } else {
      pool.release(block);
    }
  }
}
