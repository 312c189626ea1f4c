package dev.peregrine.server;

import java.util.concurrent.atomic.AtomicInteger;

/** The limit of an endpoint's open connections, and how many there are. Thread-safe. */
final class EndpointLimit {
  private final int max;
  private final AtomicInteger open = new AtomicInteger();

  EndpointLimit(int max) {
    this.max = max;
  }

  int max() {
    return max;
  }

  /** Counts a connection; returns false, and doesn't count it, if it would be above the limit. */
  boolean admit() {
    return open.getAndAccumulate(max, (count, most) -> Math.min(count + 1, most)) < max;
  }

  /** Takes a connection back that was admitted. */
  void release() {
    open.decrementAndGet();
  }
}
