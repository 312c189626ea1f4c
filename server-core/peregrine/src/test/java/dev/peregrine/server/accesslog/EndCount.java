package dev.peregrine.server.accesslog;

import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.testing.Await;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the exchanges that have ended, each after the log has its line if it is added later. */
final class EndCount implements ExchangeListener {
  private final AtomicInteger count = new AtomicInteger();

  @Override
  public void onEnd(ExchangeInfo exchange) {
    count.incrementAndGet();
  }

  /** Waits until that many have ended. */
  void await(int exchanges) {
    Await.until(() -> exchanges + " exchanges end: " + count, () -> count.get() == exchanges);
  }
}
