package dev.peregrine.server.accept;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * The bound of the connections that all acceptors of a server take before its log is prepared:
 * without descriptors it never could be. The least usual limit of descriptors is 1,024. Further
 * connections wait in the listen queue. Thread-safe.
 */
public final class FirstConnections {
  static final int MAX = 128;

  private final IntSupplier connections; // open or on their way to their loop
  private final AtomicInteger entering = new AtomicInteger();
  private volatile boolean unbounded;
  private volatile boolean full;

  /**
   * Bounds the connections of a server.
   *
   * @param connections their number, which includes each one before {@link #exit} is called for it
   */
  public FirstConnections(IntSupplier connections) {
    this.connections = connections;
  }

  /**
   * Reserves the place of one connection, to be called before it is accepted. If this returns true,
   * {@link #exit} has to follow. Otherwise the caller tries again later.
   */
  boolean enter() {
    if (entering.incrementAndGet() + connections.getAsInt() <= MAX) {
      return true;
    }
    entering.decrementAndGet();
    full = true;
    return false;
  }

  /** Ends {@link #enter}: the connection is counted, or there is none. */
  void exit() {
    entering.decrementAndGet();
  }

  /** Returns true if the bound has ended. */
  boolean isUnbounded() {
    return unbounded;
  }

  /** Returns true if a connection has had to wait. */
  public boolean isFull() {
    return full;
  }

  /** Ends the bound, because the log is prepared. */
  public void unbound() {
    unbounded = true;
  }
}
