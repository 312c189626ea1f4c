package dev.peregrine.server.memory;

import dev.peregrine.server.config.MemorySource;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Gives out blocks of slabs, and returns a slab to the system once it is empty; one empty slab is
 * kept. A larger block has a slab of its own. Confined to one thread.
 */
final class SlabAllocator {
  static final int BLOCK_SHIFT_MIN = 12; // 4 KiB
  static final int SLAB_SHIFT = 20; // arbitrary: 1 MiB, 256 of the smallest blocks

  private static final int BLOCK_SHIFT_MAX = 30; // a buffer has at most 2^31 - 1 bytes

  // The slabs with room. One that was full comes first and a new one last, so that blocks gather in
  // few slabs and the others become empty.
  private final ArrayList<Slab> withRoom = new ArrayList<>();
  private int slabs; // withRoom has the capacity for all of them

  private final MemorySource source;
  private @Nullable Slab empty; // has room as well
  private boolean isEmptyUnused;
  private final SlabGuard.PoolState state = new SlabGuard.PoolState();
  private final AtomicLong taken = new AtomicLong(); // bytes, in all
  private final AtomicLong returned = new AtomicLong(); // bytes, in all

  SlabAllocator(MemorySource source) {
    this.source = source;
  }

  /**
   * Gives out a block.
   *
   * @param shift the logarithm of its size in bytes
   * @throws OutOfMemoryError if the process has no direct memory left, or for more than 1 GiB
   */
  Block acquire(int shift) {
    if (shift > BLOCK_SHIFT_MAX) {
      throw new OutOfMemoryError("a block of more than " + (1 << BLOCK_SHIFT_MAX) + " bytes");
    }
    boolean isLarge = shift > SLAB_SHIFT;
    int order = isLarge ? 0 : shift - BLOCK_SHIFT_MIN;
    Slab slab = isLarge ? newSlab(shift, shift) : findRoom(order);
    int offset = slab.take(order);
    if (slab == empty) {
      empty = null;
    }
    if (slab.isFull()) {
      withRoom.remove(slab); // a larger one was never there
    }
    try {
      return new Block(slab, offset, order);
    } catch (Throwable failure) {
      giveBack(slab, offset, order);
      throw failure;
    }
  }

  /** Takes a block back. */
  void release(Block block) {
    giveBack(block.slab, block.offset, block.order);
  }

  /** Returns the empty slab to the system. */
  void trim() {
    Slab slab = empty;
    if (slab != null) {
      empty = null;
      close(slab);
    }
  }

  /** Returns the empty slab to the system if it has been empty since the last call. */
  void trimUnused() {
    if (isEmptyUnused) {
      trim();
    }
    isEmptyUnused = true;
  }

  /** Returns every slab to the system as soon as it is empty. */
  void close() {
    state.isClosed = true;
    trim();
  }

  /** Returns the memory taken from the system so far, in bytes; callable from any thread. */
  long bytesTaken() {
    return taken.getAcquire();
  }

  /** Returns the memory returned to the system so far, in bytes; callable from any thread. */
  long bytesReturned() {
    return returned.getAcquire();
  }

  private Slab findRoom(int order) {
    for (int i = 0; i < withRoom.size(); i++) {
      Slab slab = withRoom.get(i);
      if (slab.hasRoom(order)) {
        return slab;
      }
    }
    withRoom.ensureCapacity(slabs + 1); // first: none is lost because the list can't grow
    Slab slab = newSlab(SLAB_SHIFT, BLOCK_SHIFT_MIN);
    withRoom.add(slab);
    return slab;
  }

  private Slab newSlab(int shift, int runShiftMin) {
    Slab slab = new Slab(source, shift, runShiftMin, state);
    slabs++;
    count(taken, slab.bytes());
    return slab;
  }

  private void giveBack(Slab slab, int offset, int order) {
    boolean wasFull = slab.isFull();
    slab.giveBack(offset, order);
    boolean isEmpty = slab.isEmpty();
    if (isEmpty && (state.isClosed || empty != null || slab.bytes() > 1 << SLAB_SHIFT)) {
      close(slab);
      return;
    }
    if (wasFull) {
      withRoom.addFirst(slab);
    }
    if (isEmpty) {
      empty = slab;
      isEmptyUnused = false;
    }
  }

  private void close(Slab slab) {
    slabs--;
    withRoom.remove(slab); // it isn't there if it was full
    slab.close();
    count(returned, slab.bytes());
  }

  private static void count(AtomicLong sum, int bytes) {
    sum.setRelease(sum.getPlain() + bytes);
  }
}
