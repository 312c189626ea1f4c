package dev.peregrine.server.memory;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The direct memory of one event loop: power-of-two {@link Block}s out of a Netty pooled allocator
 * with a single pool. Released blocks are kept, up to a bound, so that a busy loop takes no lock
 * and creates no views; {@link #trim} returns them to the allocator after a burst. Used by the
 * loop's thread only, which is checked where assertions are enabled.
 */
public final class BufferPool implements AutoCloseable {
  /** Smallest block: one page of memory, enough for nearly every request head. */
  public static final int BLOCK_BYTES_MIN = 4 * 1024;

  /** Released blocks above this size return to the allocator at once. */
  public static final int KEPT_BLOCK_BYTES_MAX = 256 * 1024;

  /** Bytes of every block that no content may use, so that words may be stored past its end. */
  public static final int SLACK_BYTES = 64;

  // A page of 8 KiB shifted by 7: slabs of 1 MiB. A slab is 4 blocks of the largest kept size, and
  // an idle loop holds one. Netty's default of 4 MiB has no advantage for blocks of these sizes.
  private static final int PAGE_BYTES = 8 * 1024;
  private static final int SLAB_ORDER = 7;
  static final int SLAB_BYTES = PAGE_BYTES << SLAB_ORDER;

  // Per size class. Arbitrary: one slab's worth of the largest class.
  private static final int KEPT_BYTES_PER_CLASS_MAX = 1024 * 1024;

  private static final int MIN_SHIFT = Integer.numberOfTrailingZeros(BLOCK_BYTES_MIN);
  private static final int CLASSES =
      Integer.numberOfTrailingZeros(KEPT_BLOCK_BYTES_MAX) - MIN_SHIFT + 1;

  // An allocator returns its last slab to the system only when it is collected, and the collector
  // doesn't know how much memory that is: a program that starts servers one after the other would
  // run out of it. So the allocators of closed pools serve the next ones.
  private static final Deque<WeakReference<PooledByteBufAllocator>> UNUSED = new ArrayDeque<>();

  private final PooledByteBufAllocator allocator = takeAllocator();
  private final @Nullable Block[] kept = new Block[CLASSES];
  private final int[] keptCount = new int[CLASSES];
  private final AtomicInteger blocksInUse = new AtomicInteger();
  private final AtomicLong bytesInUse = new AtomicLong();
  private @Nullable Thread owner;
  private boolean closed;

  /**
   * Loads and links the code that a first block needs, so that another thread can do it during the
   * start. Holds no memory afterwards.
   */
  public static void prepare() {
    try (BufferPool pool = new BufferPool()) {
      pool.release(pool.acquire(SLAB_BYTES / 2)); // the allocator keeps slabs of smaller blocks
    }
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
   * @throws OutOfMemoryError if the process has no direct memory left; the pool stays usable
   */
  public Block acquire(int bytes) {
    assert isOwned() : "a loop's pool is used by " + Thread.currentThread();
    int sizeClass = sizeClass(bytes);
    Block block = sizeClass < CLASSES ? kept[sizeClass] : null;
    if (block != null) {
      kept[sizeClass] = block.nextFree;
      keptCount[sizeClass]--;
      block.nextFree = null;
      block.free = false;
    } else {
      block = newBlock(allocate(1 << (sizeClass + MIN_SHIFT)));
    }
    count(1, block.capacity());
    return block;
  }

  /** Takes a block back; its content must not be used any more. */
  public void release(Block block) {
    assert isOwned() : "a loop's pool is used by " + Thread.currentThread();
    if (block.free || block.releasedWhileHeld) {
      throw new IllegalStateException("block released twice");
    }
    if (block.held) {
      block.releasedWhileHeld = true;
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
      block.memory.release();
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
    if (block.releasedWhileHeld) {
      block.releasedWhileHeld = false;
      release(block);
    }
  }

  /** Returns the blocks that are kept but not in use to the allocator. */
  public void trim() {
    assert isOwned() : "a loop's pool is used by " + Thread.currentThread();
    for (int i = 0; i < CLASSES; i++) {
      for (Block block = kept[i]; block != null; block = block.nextFree) {
        block.memory.release();
      }
      kept[i] = null;
      keptCount[i] = 0;
    }
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
    return allocator.metric().usedDirectMemory();
  }

  /**
   * Returns the blocks that are not in use. Those in use return to the allocator when they are
   * released. The pool must not be used for new blocks after that.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    trim();
    synchronized (UNUSED) {
      UNUSED.addLast(new WeakReference<>(allocator));
    }
  }

  private static PooledByteBufAllocator takeAllocator() {
    synchronized (UNUSED) {
      for (var unused = UNUSED.pollLast(); unused != null; unused = UNUSED.pollLast()) {
        PooledByteBufAllocator allocator = unused.get();
        if (allocator != null) {
          return allocator;
        }
      }
    }
    return new PooledByteBufAllocator(true, 0, 1, PAGE_BYTES, SLAB_ORDER, 0, 0, false);
  }

  private static Block newBlock(ByteBuf memory) {
    try {
      return new Block(memory);
    } catch (Throwable failure) {
      memory.release();
      throw failure;
    }
  }

  private ByteBuf allocate(int bytes) {
    return allocator.directBuffer(bytes, bytes);
  }

  private void count(int blocks, int bytes) {
    blocksInUse.setRelease(blocksInUse.getPlain() + blocks);
    bytesInUse.setRelease(bytesInUse.getPlain() + bytes);
  }

  private static int sizeClass(int bytes) {
    int rounded = Math.max(bytes, BLOCK_BYTES_MIN);
    return Integer.SIZE - Integer.numberOfLeadingZeros(rounded - 1) - MIN_SHIFT;
  }
}
