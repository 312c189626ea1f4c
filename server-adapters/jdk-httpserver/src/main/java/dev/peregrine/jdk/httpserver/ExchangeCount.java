package dev.peregrine.jdk.httpserver;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The number of exchanges whose response isn't complete. Thread-safe. */
final class ExchangeCount {
  private static final long POLL_MILLIS = 5;

  private final AtomicInteger count = new AtomicInteger();

  void begin() {
    count.incrementAndGet();
  }

  void end() {
    count.decrementAndGet();
  }

  /** Waits until all have ended. */
  void awaitNone() throws InterruptedException {
    while (count.get() > 0) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }
}
