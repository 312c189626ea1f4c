package dev.peregrine.server.exchange.run;

import dev.peregrine.base.BlockingWork;
import dev.peregrine.server.exchange.message.ResponseSender;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.turn.CarriedWork;
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

  private final ExchangeState exchange;
  private final ResponseSender sender;
  private @Nullable BlockingWork deferred; // until the handlers around it have returned
  private @Nullable CarriedWork handler; // during the step
  private byte @Nullable [] answer; // sent whole, but not given to the stream yet; the loop's

  FirstStep(ExchangeState exchange, ResponseSender sender) {
    this.exchange = exchange;
    this.sender = sender;
  }

  /** Defers a handler, until {@link #take}. */
  void defer(BlockingWork work) {
    deferred = work;
  }

  /** Drops the deferred handler, if there is one. */
  void drop() {
    if (deferred != null) {
      deferred = null;
    }
  }

  /** Takes the deferred handler; null if there is none. */
  @Nullable BlockingWork take() {
    BlockingWork work = deferred;
    if (work != null) {
      deferred = null;
    }
    return work;
  }

  void begin(CarriedWork begun) {
    handler = begun;
  }

  void end() {
    handler = null;
  }

  // ---- on the handler's thread ----

  /** Runs work on the loop after the step. Returns false if the caller isn't in the step. */
  boolean execute(Turn work) {
    CarriedWork step = current();
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
    CarriedWork step = current();
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
      sender.sendWhole(content);
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
  private @Nullable CarriedWork current() {
    CarriedWork step = handler;
    return step != null && Thread.currentThread() == step.thread() ? step : null;
  }

  /**
   * Waits for the end of the step, if the handler has passed the exchange to the calling thread:
   * the loop then copies what other threads may read.
   *
   * @param number of the views that were passed
   */
  void await(long number) {
    while (handler != null
        && number == exchange.number()
        && !isCurrent()
        && !exchange.use.isAsync()
        && !exchange.progress.isEnded()) {
      LockSupport.parkNanos(this, POLL_NANOS);
    }
  }
}
