package dev.peregrine.bench.overload;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A handler on top of a resource that does a few things at a time, like a database: {@link
 * #WORKERS} pieces of work of {@link #WORK_NANOS} each. Each further request that it holds makes
 * the work of all take a hundredth longer, as memory, locks and caches do. It sleeps instead of
 * working, so that its capacity doesn't depend on the processors of the machine.
 */
final class LimitedService implements Handler {
  static final int WORKERS = 4;
  static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** The number that it serves in a second, if it holds no more requests than it has workers. */
  static final long PER_SECOND = WORKERS * TimeUnit.SECONDS.toNanos(1) / WORK_NANOS;

  private static final int SLOWED_BY = 100;

  private final Semaphore workers = new Semaphore(WORKERS, true);
  private final AtomicInteger held = new AtomicInteger();

  @Override
  public void handle(Request request, Response response) throws InterruptedException {
    int others = Math.max(0, held.incrementAndGet() - WORKERS);
    try {
      workers.acquire();
      try {
        TimeUnit.NANOSECONDS.sleep(WORK_NANOS * (SLOWED_BY + others) / SLOWED_BY);
      } finally {
        workers.release();
      }
    } finally {
      held.decrementAndGet();
    }
    response.text("done");
  }
}
