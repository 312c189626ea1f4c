package dev.peregrine.server.connection.facts;

import java.util.concurrent.atomic.AtomicInteger;

/** The number of connections that a loop has, or will have soon; callable from any thread. */
public final class ConnectionCount {
  private final AtomicInteger reserved = new AtomicInteger();
  private final AtomicInteger admitted = new AtomicInteger(); // reserved and not shed

  /** Counts a connection that is on its way. {@link #release} has to follow. */
  public void reserve() {
    reserved.incrementAndGet();
    admitted.incrementAndGet();
  }

  /** Counts a reserved connection as one to be shed because the server is overloaded. */
  public void countShed() {
    admitted.decrementAndGet();
  }

  /**
   * Takes back {@link #reserve}.
   *
   * @param shed whether it also takes back {@link #countShed}
   */
  public void release(boolean shed) {
    if (!shed) {
      admitted.decrementAndGet();
    }
    reserved.decrementAndGet();
  }

  /** Returns the number of connections that are open or reserved. */
  public int reserved() {
    return reserved.get();
  }

  /** Returns the number of reserved connections that are not shed. */
  public int admitted() {
    return admitted.get();
  }

  /** Returns the number of connections that are being shed. */
  public int shed() {
    return reserved.get() - admitted.get();
  }
}
