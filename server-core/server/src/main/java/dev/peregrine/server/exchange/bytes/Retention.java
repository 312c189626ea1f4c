package dev.peregrine.server.exchange.bytes;

import dev.peregrine.base.Log;
import dev.peregrine.http.arriving.KeptBytes;
import dev.peregrine.server.loop.LoopTask;
import dev.peregrine.server.memory.Block;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * The claim on retained bytes. Counts its owners, on any thread. The task that the last one submits
 * returns the block to its loop.
 */
final class Retention extends LoopTask implements KeptBytes.Claim {
  private final Retainer retainer;
  private final @Nullable Block block; // pinned; null for a copy
  private final @Nullable Arena arena; // of the memory; null if its use isn't checked
  private final int counted;
  private int owners = 1;
  private @Nullable RetentionGuard guard;
  private boolean lost;

  Retention(Retainer retainer, @Nullable Block block, @Nullable Arena arena, int counted) {
    this.retainer = retainer;
    this.block = block;
    this.arena = arena;
    this.counted = counted;
  }

  /** Watches what refers to the bytes, and becomes garbage with the last such reference. */
  synchronized void guard(Object referent) {
    guard = RetentionGuard.watch(referent, this);
  }

  synchronized void endGuard() {
    if (guard != null) {
      guard.end();
    }
  }

  @Override
  public synchronized void share() {
    owners++;
  }

  @Override
  public void release() {
    synchronized (this) {
      owners--;
      if (owners > 0) {
        return;
      }
      endGuard();
    }
    try {
      endChecks();
    } finally {
      end();
    }
  }

  /** Has later uses of buffers throw, if they are checked. */
  private void endChecks() {
    if (arena != null) {
      try {
        arena.close();
      } catch (IllegalStateException used) {
        throw new IllegalStateException("the bytes were released while a channel uses them", used);
      }
    }
  }

  /** The bytes have become garbage without a release. */
  void releaseLost() {
    lost = true;
    endChecks();
    retainer.loop.execute(this); // logs
  }

  private void end() {
    if (block == null) {
      retainer.uncount(counted);
    } else if (retainer.loop.isCurrent()) {
      run();
    } else {
      retainer.loop.execute(this);
    }
  }

  @Override
  protected void run() {
    retainer.uncount(counted);
    if (block != null) {
      retainer.loop.bufferPool().unpin(block);
    }
    if (lost) {
      retainer.warnOfLoss(lossText());
    }
  }

  /** The server has ended. */
  @Override
  protected void onRejected() {
    retainer.uncount(counted);
    if (block != null) {
      retainer.loop.bufferPool().unpinLate(block);
    }
    if (lost) {
      Log.add(Level.WARNING, lossText());
    }
  }

  private String lossText() {
    return "retained bytes were lost: "
        + (counted - Retainer.OBJECT_BYTES)
        + ". Release what Bytes.retain returns.";
  }
}
