package dev.peregrine.server.accept;

import java.util.concurrent.atomic.AtomicInteger;

/** The limit and the number of an endpoint's open connections. Thread-safe. */
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

  /** Counts an admitted connection as closed. */
  void release() {
    open.decrementAndGet();
  }
}
