package dev.peregrine.server.memory;

import dev.peregrine.base.Log;
import java.lang.System.Logger.Level;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Returns the memory of a slab that has become garbage: because a block of it was lost, which is
 * reported, or because its pool wasn't closed. Looks for such slabs when another one is taken.
 */
final class SlabGuard extends PhantomReference<Slab> {
  private static final ReferenceQueue<Slab> GARBAGE = new ReferenceQueue<>();
  private static final Set<SlabGuard> ALL = ConcurrentHashMap.newKeySet();

  /** Whether the pool of some slabs was closed: their runs are blocks in use from then on. */
  static final class PoolState {
    volatile boolean isClosed;
  }

  /** How many runs of the slab are taken. Written by the slab's thread. */
  int runs;

  private final PoolState pool;
  private final AutoCloseable memory;
  private final int bytes;

  private SlabGuard(Slab slab, PoolState pool, AutoCloseable memory) {
    super(slab, GARBAGE);
    this.pool = pool;
    this.memory = memory;
    this.bytes = slab.bytes();
  }

  static SlabGuard watch(Slab slab, PoolState pool, AutoCloseable memory) {
    try {
      collect();
      SlabGuard guard = new SlabGuard(slab, pool, memory);
      ALL.add(guard);
      return guard;
    } catch (Throwable failure) {
      close(memory);
      throw failure;
    }
  }

  /** Returns the memory of the slabs that are garbage by now. */
  static void collect() {
    while (GARBAGE.poll() instanceof SlabGuard lost) {
      lost.close();
      if (lost.runs > 0 && lost.pool.isClosed) {
        Log.add(Level.WARNING, lost + ". This is a defect of the server: please report it.");
      }
    }
  }

  void close() {
    if (ALL.remove(this)) {
      close(memory);
    }
  }

  private static void close(AutoCloseable memory) {
    try {
      memory.close();
    } catch (RuntimeException failure) {
      throw failure;
    } catch (Exception impossible) { // GivenMemory throws nothing that an application's close does
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public String toString() {
    return "blocks of direct memory were lost, out of " + bytes + " bytes: " + runs;
  }
}
