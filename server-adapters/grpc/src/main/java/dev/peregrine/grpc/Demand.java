package dev.peregrine.grpc;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The messages that a listener has requested and not received. Any thread requests; the event loop
 * takes. A loop that finds none marks itself as starved, so that the next request wakes it.
 */
final class Demand {
  private final AtomicLong requested = new AtomicLong();
  private volatile boolean starved;

  /** Adds to the demand. Returns true if the loop waits for it. */
  boolean add(int messages) {
    requested.addAndGet(messages);
    return starved;
  }

  /** Returns true if a message was requested. Otherwise the loop is starved from now on. */
  boolean begin() {
    if (requested.get() == 0) {
      starved = true; // first, so that a request after the next line sees it
      if (requested.get() == 0) {
        return false;
      }
    }
    starved = false;
    return true;
  }

  /** Takes one message off the demand, after {@link #begin}. */
  void take() {
    requested.decrementAndGet();
  }

  /** Returns true if a message waits for demand. */
  boolean isStarved() {
    return starved;
  }
}
