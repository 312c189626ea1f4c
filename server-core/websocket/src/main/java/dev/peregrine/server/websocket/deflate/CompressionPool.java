package dev.peregrine.server.websocket.deflate;

import dev.peregrine.base.IdleSlots;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Deflaters and inflaters that aren't in use, for sessions and messages of one level of
 * compression. Holds a few of them; the others are ended when they are returned, and all of them
 * after {@link #close}. Thread-safe, without locks: one pool serves all event loops, and the
 * threads of broadcasts.
 */
public final class CompressionPool implements AutoCloseable {
  // About 5 MB of native memory. More are in use at a time only while contexts are kept.
  private static final int IDLE_MAX = 16;

  private final int level;
  private final CompressionBudget budget;
  private final IdleSlots<Deflater> deflaters = new IdleSlots<>(IDLE_MAX);
  private final IdleSlots<Inflater> inflaters = new IdleSlots<>(IDLE_MAX);
  private final AtomicInteger alive = new AtomicInteger();
  private volatile boolean closed;

  /**
   * Creates an empty pool.
   *
   * @param level the effort of compression, 1 to 9
   * @param budget the memory that its users share, possibly with those of other pools
   */
  public CompressionPool(int level, CompressionBudget budget) {
    this.level = level;
    this.budget = budget;
  }

  CompressionBudget budget() {
    return budget;
  }

  /** Returns a deflater without history. */
  Deflater acquireDeflater() {
    Deflater deflater = deflaters.poll();
    if (deflater == null) {
      deflater = new Deflater(level, true);
      alive.incrementAndGet();
    }
    return deflater;
  }

  void release(Deflater deflater) {
    deflater.reset(); // now, since it also drops the reference to the last input
    if (closed || !deflaters.offer(deflater)) {
      end(deflater);
    } else if (closed) { // meanwhile
      endIdle();
    }
  }

  /** Returns an inflater without history. */
  Inflater acquireInflater() {
    Inflater inflater = inflaters.poll();
    if (inflater == null) {
      inflater = new Inflater(true);
      alive.incrementAndGet();
    }
    return inflater;
  }

  void release(Inflater inflater) {
    inflater.reset();
    if (closed || !inflaters.offer(inflater)) {
      end(inflater);
    } else if (closed) {
      endIdle();
    }
  }

  /** Returns the number of deflaters and inflaters that hold memory, in use or not. */
  public int alive() {
    return alive.get();
  }

  /** Ends those that aren't in use. The others are ended when they are returned. */
  @Override
  public void close() {
    closed = true;
    endIdle();
  }

  private void endIdle() {
    for (Deflater idle = deflaters.poll(); idle != null; idle = deflaters.poll()) {
      end(idle);
    }
    for (Inflater idle = inflaters.poll(); idle != null; idle = inflaters.poll()) {
      end(idle);
    }
  }

  private void end(Deflater deflater) {
    deflater.end();
    alive.decrementAndGet();
  }

  private void end(Inflater inflater) {
    inflater.end();
    alive.decrementAndGet();
  }
}
