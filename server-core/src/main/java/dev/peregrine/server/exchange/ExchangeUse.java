package dev.peregrine.server.exchange;

import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The objects and threads that may keep a reference to an exchange.
 *
 * <pre>
 *   OWNED ──a queued task names it──▶ SHARED ──async──▶ ASYNC
 *     └──────────────────async──────────────────────────▶
 * </pre>
 */
final class ExchangeUse {
  // Ints, not enums: see Exchange.
  private static final int OWNED = 0;
  private static final int SHARED = 1;
  private static final int ASYNC = 2;

  private final Exchange exchange;
  private volatile int holder = OWNED;
  private @Nullable LeftRun left; // of a handler whose thread was relieved

  ExchangeUse(Exchange exchange) {
    this.exchange = exchange;
  }

  /** Returns true if the handler's side may be on another thread. */
  boolean isAsync() {
    return holder == ASYNC;
  }

  void setAsync() {
    holder = ASYNC;
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

  /**
   * Lets other threads use the exchange. Returns true if they could before.
   *
   * @param entered the result of {@link Exchange#enterTurn}
   */
  boolean becomeAsync(int entered) {
    if (entered != LoopOwner.OUTSIDE) {
      return becomeAsync();
    }
    synchronized (this) { // against the thread that takes the loop of a first step
      return becomeAsync();
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
      exchange.leaveTurn(entered);
    }
  }

  private boolean becomeAsync() {
    LeftRun run = left;
    if (run != null) {
      run.onAsync();
    }
    if (isAsync()) {
      return true;
    }
    exchange.request.keepHead(); // now, while no other thread can use the head
    exchange.response.keepFields();
    exchange.connection().keepAddresses();
    setAsync();
    return false;
  }

  /** Returns true if the response may come after the return of the handler, or of a callback. */
  boolean mayAnswerLater() {
    LeftRun run = left;
    return run == null ? isAsync() : run.isAsync() || !run.isOver();
  }

  // ---- the handler's side ----

  /** Returns true if the exchange, which has ended, may serve another request. */
  boolean isOwned() {
    return holder == OWNED;
  }

  /** Prevents reuse of the exchange, because a caller keeps a reference to it. */
  void markHeld() {
    if (holder == OWNED) {
      holder = SHARED;
    }
  }

  /** Throws unless the caller, who isn't in a turn or whose exchange has ended, may use it. */
  void checkElsewhere() {
    VarHandle.fullFence(); // a handler that was left is async before its thread can see that
    if (exchange.ending.isNotifying() && exchange.context.loop.isCurrent()) {
      return;
    }
    exchange.firstStep.await();
    boolean ended = exchange.isEnded();
    if (ended || (!isAsync() && !exchange.isRunning())) {
      markHeld();
      throw new IllegalStateException(
          ended
              ? "the exchange has ended"
              : "request or response used outside its handler: call response.async() before handing it"
                  + " to another thread");
    }
  }

  /**
   * Returns true if the object still represents the caller's exchange, which may have ended.
   *
   * @throws IllegalStateException if the exchange was never passed on to the caller
   */
  boolean isCallers() {
    if (isAsync()) {
      return true;
    }
    if (exchange.isEnded()) {
      markHeld();
      return false;
    }
    exchange.checkUsable();
    return true;
  }

  /** Throws unless the object represents the caller's exchange, which may have ended. */
  void checkCallers() {
    if (!isAsync() && !exchange.isAbandoned()) {
      exchange.checkUsable();
    }
  }
}
