package dev.peregrine.testing.http2;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.testing.Await;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A blocking handler that runs until it is released, even if its stream ends before. */
public final class HangingHandler implements Handler {
  private final Handler blocking = Handlers.blocking(this::hang);
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger mostRunning = new AtomicInteger();
  private final CountDownLatch release = new CountDownLatch(1);

  @Override
  public void handle(Request request, Response response) throws Exception {
    blocking.handle(request, response);
  }

  private void hang(Request request, Response response) {
    mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
    try {
      while (true) {
        try {
          release.await();
          response.text("late");
          return;
        } catch (InterruptedException ignored) {
          // continues, as badly written code does
        }
      }
    } finally {
      running.decrementAndGet();
    }
  }

  /** Returns the number of calls that run now. */
  public int running() {
    return running.get();
  }

  /** Returns the largest number of calls that have run at a time. */
  public int mostRunning() {
    return mostRunning.get();
  }

  /** Lets all calls return, and waits until they have. */
  public void release() {
    release.countDown();
    Await.until("no handler runs", () -> running.get() == 0);
  }
}
