package dev.peregrine.server.memory;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The queue that the connections of a loop write into in turn, as long as all its bytes are sent at
 * the end of the turn. A connection that can't send all keeps it, and another one takes its place.
 */
public final class OutboundQueues {
  private static final int SPARE_MAX = 16;

  private final BufferPool pool;
  private final Consumer<Throwable> onGap;
  private final @Nullable OutboundQueue[] spare = new OutboundQueue[SPARE_MAX];
  private int spareCount;
  private OutboundQueue shared;

  /**
   * Creates the first queue.
   *
   * @param onGap as {@link OutboundQueue} calls it
   */
  public OutboundQueues(BufferPool pool, Consumer<Throwable> onGap) {
    this.pool = pool;
    this.onGap = onGap;
    this.shared = newQueue();
  }

  private OutboundQueue newQueue() {
    return new OutboundQueue(pool, onGap);
  }

  /** Returns the queue that the connection in its turn writes into. */
  public OutboundQueue shared() {
    return shared;
  }

  /** Gives the shared queue away to a connection that couldn't send all of it. */
  public OutboundQueue give() {
    OutboundQueue given = shared;
    shared = spareCount > 0 ? Objects.requireNonNull(spare[--spareCount]) : newQueue();
    return given;
  }

  /** Takes back a queue that was given away. */
  public void takeBack(OutboundQueue queue) {
    queue.clear();
    if (spareCount < SPARE_MAX) {
      spare[spareCount++] = queue;
    }
  }

  /** Releases the memory of the queues that weren't given away. */
  public void close() {
    shared.clear();
    while (spareCount > 0) {
      Objects.requireNonNull(spare[--spareCount]).clear();
    }
  }
}
