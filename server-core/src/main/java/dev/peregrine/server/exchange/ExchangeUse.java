package dev.peregrine.server.exchange;

import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The objects and threads that may keep a reference to an exchange. An exchange that is held or
 * async serves no other request.
 */
final class ExchangeUse {
  private final Exchange exchange;
  private volatile boolean async; // the handler's side may be on another thread
  private volatile boolean held; // a queued task or a thread may refer to it after its end
  private @Nullable LeftRun left; // of a handler whose thread was relieved

  ExchangeUse(Exchange exchange) {
    this.exchange = exchange;
  }

  /** Returns true if the handler's side may be on another thread. */
  boolean isAsync() {
    return async;
  }

  void setAsync() {
    async = true;
  }

  // ---- a handler that was left ----

  /** The handler that runs is left on its thread. */
  void leave(LeftRun run) {
    left = run;
    setAsync();
  }

  /** Returns true while the handler runs on a thread that was relieved; on the loop. */
  boolean isLeft() {
    return left != null && !left.isOver();
  }

  /** The handler has returned on its thread; its exchange may have ended before it was left. */
  void onLeftReturn(@Nullable Throwable failure) {
    LeftRun run = left;
    if (run != null) {
      run.onReturn(failure);
    } else if (failure != null) {
      Errors.logAfterEnd(failure);
    }
  }

  /** The thread that the loop carries for this exchange has ended. */
  void onCarriedEnd() {
    LeftRun run = left;
    if (run != null) {
      run.onCarriedEnd();
    }
  }

  /** Runs a callback of the application now, or when a handler that was left has returned. */
  void afterHandler(Runnable callback) {
    if (isLeft()) {
      Objects.requireNonNull(left).defer(callback);
    } else {
      callback.run();
    }
  }

  /** Notifies all callbacks that the exchange has been abandoned, when its handler has returned. */
  void abandonLater(IOException cause, boolean aborted, CloseReason reason) {
    try {
      Objects.requireNonNull(left).defer(() -> exchange.ending.abandon(cause, aborted, reason));
    } catch (Throwable noMemory) {
      exchange.ending.abandon(cause, aborted, reason);
    }
  }

  /** Lets other threads use the exchange. Returns true if they could before. */
  boolean async() {
    int entered = exchange.enterTurn();
    try {
      exchange.checkUsable();
      if (entered != LoopOwner.OUTSIDE) {
        return becomeAsync();
      }
      synchronized (this) { // against the thread that takes the loop of a first step
        return becomeAsync();
      }
    } finally {
      exchange.exitTurn(entered);
    }
  }

  /** Indexes the fields of the request's head, which belongs to the caller. */
  void index() {
    int entered = exchange.enterTurn();
    try {
      if (entered != LoopOwner.OUTSIDE) {
        exchange.request.indexFields();
        return;
      }
      synchronized (this) { // against the thread that takes the loop of a first step
        exchange.request.indexFields();
      }
    } finally {
      exchange.exitTurn(entered);
    }
  }

  private boolean becomeAsync() {
    exchange.context.reuse.end();
    LeftRun run = left;
    if (run != null) {
      run.onAsync();
    }
    if (isAsync()) {
      return true;
    }
    exchange.request.keepHead(); // now, while no other thread can use the head
    exchange.response.keepFields();
    exchange.connection().facts().keepAddresses();
    setAsync();
    return false;
  }

  /** Returns true if the response may come after the return of the handler, or of a callback. */
  boolean mayAnswerLater() {
    LeftRun run = left;
    return run == null ? isAsync() : run.isAsync() || !run.isOver();
  }

  /** Throws if the handler's last call on the loop has returned without a response. */
  void requireAnswer() {
    if (!exchange.isOver() && !mayAnswerLater()) {
      throw new IllegalStateException(
          "the handler returned without a response: complete it, or call async()");
    }
  }

  // ---- the handler's side ----

  /** Returns true if nothing but its stream refers to the exchange once that has ended. */
  boolean isOwned() {
    return !async && !held;
  }

  /** Returns true if the exchange, which rests, may serve another request. */
  boolean isReusable() {
    return isOwned() && !exchange.context.reuse.isOver();
  }

  /**
   * Prevents reuse of the exchange, because its handler has failed, or a caller keeps a reference
   * to it.
   */
  void markHeld() {
    if (!held) {
      held = true;
    }
  }

  /** Prevents reuse of all exchanges of the server, because another thread gets this one. */
  void endReuse() {
    markHeld();
    exchange.context.reuse.end();
  }

  /**
   * Returns true if the caller may use an async exchange: any thread, or only that of a handler
   * that was left and hasn't called {@code async}.
   */
  boolean isPassedOn() {
    if (!async) {
      return false;
    }
    LeftRun run = left;
    return run == null || run.admitsCaller();
  }

  /** Throws unless the caller, who isn't in a turn or whose exchange has ended, may use it. */
  void checkElsewhere() {
    VarHandle.fullFence(); // a handler that was left is async before its thread can see that
    if (exchange.ending.isNotifying() && exchange.context.loop.isCurrent()) {
      return;
    }
    exchange.firstStep.await();
    boolean ended = exchange.isEnded();
    if (ended || (!isPassedOn() && !exchange.isRunning())) {
      onMisuse();
      throw new IllegalStateException(
          ended
              ? "the exchange has ended"
              : "request or response used outside its handler: call response.async() before handing it"
                  + " to another thread");
    }
  }

  /** The caller has kept the exchange, or was never passed it; so may others. */
  private void onMisuse() {
    if (!async && !exchange.isAbandoned()) {
      endReuse();
    }
  }

  /**
   * Returns true if the object still represents the caller's exchange, which may have ended.
   *
   * @throws IllegalStateException if the exchange was never passed on to the caller
   */
  boolean isCallers() {
    if (isPassedOn()) {
      return true;
    }
    if (exchange.isEnded()) {
      onMisuse();
      return false;
    }
    exchange.checkUsable();
    return true;
  }

  /** Throws unless the object represents the caller's exchange, which may have ended. */
  void checkCallers() {
    if (!isPassedOn() && !exchange.isAbandoned()) {
      exchange.checkUsable();
    }
  }
}
