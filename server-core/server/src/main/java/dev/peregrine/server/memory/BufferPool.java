package dev.peregrine.server.memory;

import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.memory.lease.Leases;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The direct memory of one event loop: power-of-two {@link Block}s out of slabs of 1 MiB. Released
 * blocks are kept, up to a bound, so that a busy loop creates no views; {@link #trimUnused} returns
 * them to their slabs, and empty slabs to the system. Used by the loop's thread only, which is
 * checked where assertions are enabled.
 *
 * <p>Technique {@code memory-pool} of docs/TECHNIQUES.md, measured by {@code MemoryPoolBenchmark}.
 */
public final class BufferPool implements AutoCloseable {
  /** Smallest block: one page of memory, enough for nearly every request head. */
  public static final int BLOCK_BYTES_MIN = 1 << SlabAllocator.BLOCK_SHIFT_MIN;

  /** Released blocks above this size return to their slab at once. */
  public static final int KEPT_BLOCK_BYTES_MAX = 256 * 1024;

  /** Bytes of every block that no content may use, so that words may be stored past its end. */
  public static final int SLACK_BYTES = 64;

  // Per size class. Arbitrary: one slab's worth of the largest class.
  private static final int KEPT_BYTES_PER_CLASS_MAX = 1024 * 1024;

  private static final int CLASSES =
      Integer.numberOfTrailingZeros(KEPT_BLOCK_BYTES_MAX) - SlabAllocator.BLOCK_SHIFT_MIN + 1;

  private final SlabAllocator allocator;
  private final Leases leases = new Leases();
  private final @Nullable Block[] kept = new Block[CLASSES];
  private final int[] keptCount = new int[CLASSES];
  private final int[] unusedCount = new int[CLASSES]; // the least that was kept since the last trim
  private final AtomicInteger blocksInUse = new AtomicInteger();
  private final AtomicLong bytesInUse = new AtomicLong();
  private @Nullable Thread owner;
  private final List<Block> late = new ArrayList<>(0); // to unpin when the pool is closed
  private boolean closed;

  /** A pool of memory from the JVM's allocator. */
  public BufferPool() {
    this(new JvmMemory());
  }

  /** A pool of other memory. */
  public BufferPool(MemorySource source) {
    allocator = new SlabAllocator(source);
  }

  /** Returns the leases of the application's buffers, which the loop's queues send. */
  public Leases leases() {
    return leases;
  }

  /** Confines the pool and its blocks to a thread from now on. */
  public void confineTo(Thread thread) {
    owner = thread;
  }

  /** Returns true if the calling thread may use the pool; meant for assertions. */
  @SuppressWarnings("ReferenceEquality") // threads are compared by identity
  public boolean isOwned() {
    return owner == null || owner == Thread.currentThread();
  }

  /**
   * Returns a block of at least the given size (its capacity is a power of two).
   *
   * @throws OutOfMemoryError if the process has no direct memory left, and for more than 1 GiB,
   *     which is also said of a negative size (a sum that has overflowed); the pool stays usable
   */
  public Block acquire(int bytes) {
    assert isOwned() : "a loop's pool is used by " + Thread.currentThread();
    int sizeClass = sizeClass(bytes);
    Block block = sizeClass < CLASSES ? kept[sizeClass] : null;
    if (block != null) {
      kept[sizeClass] = block.nextFree;
      unusedCount[sizeClass] = Math.min(unusedCount[sizeClass], --keptCount[sizeClass]);
      block.nextFree = null;
      block.free = false;
    } else {
      block = newBlock(sizeClass + SlabAllocator.BLOCK_SHIFT_MIN);
    }
    count(1, block.capacity());
    return block;
  }

  /** Takes a block back; its content must not be used any more. */
  public void release(Block block) {
    assert isOwned() : "a loop's pool is used by " + Thread.currentThread();
    if (block.free || block.releasedWhileShared) {
      throw new IllegalStateException("block released twice");
    }
    if (block.isShared()) {
      block.releasedWhileShared = true;
      return;
    }
    block.free = true;
    count(-1, -block.capacity());
    int sizeClass = sizeClass(block.capacity());
    if (!closed
        && sizeClass < CLASSES
        && keptCount[sizeClass] * (long) block.capacity() < KEPT_BYTES_PER_CLASS_MAX) {
      block.nextFree = kept[sizeClass];
      kept[sizeClass] = block;
      keptCount[sizeClass]++;
    } else {
      allocator.release(block);
    }
  }

  /**
   * Keeps a block readable until {@link #endHold}, for a reader that isn't its owner: if the owner
   * releases it meanwhile, that takes effect then.
   */
  public void hold(Block block) {
    block.held = true;
  }

  public void endHold(Block block) {
    block.held = false;
    endRelease(block);
  }

  /**
   * Keeps a block as it is until {@link #unpin}, as often as it is called: for readers that outlive
   * the present call. The loop reads into another block from now on.
   *
   * @throws OutOfMemoryError if there is no memory for that one; nothing has changed then
   */
  public void pin(Block block) {
    Runnable leaving = block.beforePin;
    if (leaving != null) {
      leaving.run();
    }
    block.pins++;
  }

  /** Ends one {@link #pin}. */
  public void unpin(Block block) {
    block.pins--;
    endRelease(block);
  }

  /** Like {@link #unpin}, on any thread after the loop has ended, or is ending. */
  public synchronized void unpinLate(Block block) {
    if (closed) {
      unpin(block);
    } else {
      late.add(block);
    }
  }

  private void endRelease(Block block) {
    if (block.releasedWhileShared && !block.isShared()) {
      block.releasedWhileShared = false;
      release(block);
    }
  }

  /** Returns the memory that is not in use to the system. */
  public void trim() {
    assert isOwned() : "a loop's pool is used by " + Thread.currentThread();
    for (int i = 0; i < CLASSES; i++) {
      trim(i, keptCount[i]);
    }
    allocator.trim();
  }

  /**
   * Returns the memory to the system that has not been in use since the last call. Meant to be
   * called regularly, so that a burst doesn't keep its memory for as long as one of its connections
   * stays open.
   */
  public void trimUnused() {
    assert isOwned() : "a loop's pool is used by " + Thread.currentThread();
    for (int i = 0; i < CLASSES; i++) {
      trim(i, unusedCount[i]);
    }
    allocator.trimUnused();
  }

  private void trim(int sizeClass, int blocks) {
    for (int i = 0; i < blocks; i++) {
      Block block = Objects.requireNonNull(kept[sizeClass]);
      kept[sizeClass] = block.nextFree;
      keptCount[sizeClass]--;
      allocator.release(block);
    }
    unusedCount[sizeClass] = keptCount[sizeClass];
  }

  /** Returns the number of blocks acquired and not yet released; callable from any thread. */
  public int blocksInUse() {
    return blocksInUse.getAcquire();
  }

  /** Returns the bytes of the blocks acquired and not yet released; callable from any thread. */
  public long bytesInUse() {
    return bytesInUse.getAcquire();
  }

  /**
   * Returns the direct memory that this pool has taken from the system, in use or not; callable
   * from any thread.
   */
  public long bytesReserved() {
    long returned = allocator.bytesReturned(); // first, so that it never exceeds what was taken
    return allocator.bytesTaken() - returned;
  }

  /**
   * Returns the direct memory that this pool has returned to the system so far, in bytes; callable
   * from any thread.
   */
  public long bytesReturned() {
    return allocator.bytesReturned();
  }

  /**
   * Returns the memory that is not in use to the system, and the rest as its blocks are released.
   * The pool must not be used for new blocks after that.
   */
  @Override
  public synchronized void close() {
    closed = true;
    for (Block block : late) {
      unpin(block);
    }
    late.clear();
    trim();
    allocator.close();
    owner = null; // blocks that are still in use may be released by one thread at a time
  }

  private Block newBlock(int shift) {
    try {
      return allocator.acquire(shift);
    } catch (OutOfMemoryError none) {
      trim(); // blocks of other sizes may be kept
      return allocator.acquire(shift);
    }
  }

  private void count(int blocks, int bytes) {
    blocksInUse.setRelease(blocksInUse.getPlain() + blocks);
    bytesInUse.setRelease(bytesInUse.getPlain() + bytes);
  }

  private static int sizeClass(int bytes) {
    int last = bytes == 0 ? 0 : bytes - 1;
    return Integer.SIZE
        - Integer.numberOfLeadingZeros(last | (BLOCK_BYTES_MIN - 1))
        - SlabAllocator.BLOCK_SHIFT_MIN;
  }
}
