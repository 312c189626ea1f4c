package dev.peregrine.server.pace;

import dev.peregrine.server.loop.EventLoop;

/**
 * The time by which the clients of a loop are judged. It follows the loop's clock, but from one
 * tick to the next it advances by no more than a tick should take. So the time in which the loop is
 * stalled, and doesn't read, doesn't count against clients. On the loop's thread.
 */
public final class ClientClock {
  private final EventLoop loop;

  /** The length of a tick. */
  public final long tickNanos;

  private long countedNanos; // of this clock, at the last tick
  private long tickedNanos; // of the loop's clock, at the last tick

  /** Creates a clock that stands still until {@link #resume}. */
  public ClientClock(EventLoop loop, long tickNanos) {
    this.loop = loop;
    this.tickNanos = tickNanos;
  }

  /** Returns the present time. */
  public long nanos() {
    return countedNanos + Math.min(loop.nanos() - tickedNanos, tickNanos);
  }

  /** Returns the time of the last tick. */
  public long countedNanos() {
    return countedNanos;
  }

  /** Begins to count again, after a time without ticks that doesn't count. */
  public void resume() {
    tickedNanos = loop.nanos();
  }

  /** Counts the time since the last tick. */
  public void tick() {
    countedNanos = nanos();
    tickedNanos = loop.nanos();
  }

  /** Lets the time of a tick pass at once. */
  public void skipTick() {
    countedNanos += tickNanos;
  }
}
