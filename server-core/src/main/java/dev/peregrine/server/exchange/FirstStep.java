package dev.peregrine.server.exchange;

import dev.peregrine.base.BlockingWork;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The first step of a blocking handler that the loop carries: until it parks or ends. The exchange
 * isn't async during it.
 */
final class FirstStep {
  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final Exchange exchange;
  private @Nullable BlockingWork deferred; // until the handlers around it have returned
  private @Nullable Thread handler; // during the step

  FirstStep(Exchange exchange) {
    this.exchange = exchange;
  }

  /**
   * Defers a blocking handler until the handlers around it have returned, because a thread that
   * carries a virtual one must not hold a monitor, as those may. Returns false if it must run on a
   * thread of its own.
   */
  boolean defer(BlockingWork work) {
    boolean possible = exchange.isInHandler() && CarriedHandler.isPossible(exchange);
    if (possible) {
      deferred = work;
    }
    return possible;
  }

  /** Runs the deferred handler, if there is one. */
  void runDeferred() {
    BlockingWork work = deferred;
    if (work != null) {
      deferred = null;
      CarriedHandler.run(exchange, work);
    }
  }

  /** Takes the deferred handler, which is not run here; null if there is none. */
  @Nullable BlockingWork take() {
    BlockingWork work = deferred;
    deferred = null;
    return work;
  }

  /** Begins the step of a thread. */
  void begin(Thread carried) {
    handler = carried;
  }

  void end() {
    handler = null;
  }

  /** Returns true while the step runs; on the loop. */
  boolean isBegun() {
    return handler != null;
  }

  /** Returns true if the caller is the handler, in this step. */
  @SuppressWarnings("ReferenceEquality") // threads are compared by identity
  boolean isCurrent() {
    return Thread.currentThread() == handler;
  }

  /** Makes the exchange async, because the handler has parked; on the loop. */
  void leave() {
    if (exchange.isAsync()) {
      return;
    }
    try {
      boolean ignored = exchange.async();
      exchange.beginWithin(0); // a handler that runs isn't forgotten
    } catch (Throwable failure) {
      exchange.request.drop(); // otherwise the handler would read another request
      exchange.use.setAsync();
      throw failure;
    }
  }

  /**
   * Waits for the end of the step, if the handler has passed the exchange to the calling thread:
   * the loop then copies what other threads may read.
   */
  void await() {
    while (handler != null && !isCurrent() && !exchange.isAsync() && !exchange.isEnded()) {
      LockSupport.parkNanos(this, POLL_NANOS);
    }
  }
}
