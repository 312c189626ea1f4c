package dev.peregrine.server.exchange;

import dev.peregrine.base.BlockingWork;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.turn.Turn;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The first step of a blocking handler that the loop carries: until it parks or ends. The exchange
 * isn't async during it. A response that is sent whole meanwhile is kept until its end.
 */
final class FirstStep implements Turn {
  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final Exchange exchange;
  private @Nullable BlockingWork deferred; // until the handlers around it have returned
  private @Nullable CarriedHandler handler; // during the step
  private byte @Nullable [] answer; // sent whole, but not given to the stream yet; the loop's

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
      exchange.use.endReuse(); // its thread may pass it on, and so may that of any later one
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

  void begin(CarriedHandler begun) {
    handler = begun;
  }

  void end() {
    handler = null;
  }

  // ---- on the handler's thread ----

  /** Runs work on the loop after the step. Returns false if the caller isn't in the step. */
  boolean execute(Turn work) {
    CarriedHandler step = current();
    if (step == null) {
      return false;
    }
    step.execute(work);
    return true;
  }

  /**
   * Keeps the content of a response for the end of the step, which needs no task. Returns false if
   * it must be a task.
   */
  boolean keep(byte[] content) {
    CarriedHandler step = current();
    if (step == null) {
      return false;
    }
    int entered = step.enterTurn();
    if (entered == LoopOwner.OUTSIDE) {
      return false;
    }
    boolean isFirst = !step.isQueued();
    if (isFirst) {
      answer = content;
    }
    step.exitTurn(entered);
    return isFirst;
  }

  // ---- on the loop ----

  /** Returns what must be run first after the step; null for nothing. */
  @Nullable Turn kept() {
    return answer == null ? null : this;
  }

  /** Sends what was kept. */
  @Override
  public void run() {
    byte[] content = answer;
    if (content != null) {
      answer = null;
      exchange.sender.sendWhole(content);
    }
  }

  /** Returns true while the step runs; on the loop. */
  boolean isBegun() {
    return handler != null;
  }

  /** Returns true if the caller is the handler, in this step. */
  boolean isCurrent() {
    return current() != null;
  }

  @SuppressWarnings("ReferenceEquality") // threads are compared by identity
  private @Nullable CarriedHandler current() {
    CarriedHandler step = handler;
    return step != null && Thread.currentThread() == step.thread() ? step : null;
  }

  /** Makes the exchange async, because the handler has parked; on the loop. */
  void onParked() {
    if (exchange.isAsync()) {
      return;
    }
    try {
      boolean ignored = exchange.use.async();
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
