package dev.peregrine.server.memory;

import dev.peregrine.base.Log;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
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
  private final Arena arena;
  private final int bytes;

  private SlabGuard(Slab slab, PoolState pool, Arena arena) {
    super(slab, GARBAGE);
    this.pool = pool;
    this.arena = arena;
    this.bytes = slab.bytes();
  }

  static SlabGuard watch(Slab slab, PoolState pool, Arena arena) {
    try {
      collect();
      SlabGuard guard = new SlabGuard(slab, pool, arena);
      ALL.add(guard);
      return guard;
    } catch (Throwable failure) {
      arena.close();
      DirectMemory.closed(slab.bytes());
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
      arena.close();
      DirectMemory.closed(bytes);
    }
  }

  @Override
  public String toString() {
    return "blocks of direct memory were lost, out of " + bytes + " bytes: " + runs;
  }
}
