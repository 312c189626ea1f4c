package dev.peregrine.server.exchange.run;

import dev.peregrine.base.BlockingWork;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.message.ExchangeEnd;
import dev.peregrine.server.exchange.state.ExchangeProgress;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.exchange.state.ExchangeUse;
import dev.peregrine.server.loop.CarriedThreads;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.turn.Turn;
import java.lang.invoke.VarHandle;

/**
 * The threads of an exchange: which of them may use it, and how each has work done in a turn of the
 * connection. All that the handler's side knows of threads; on any of them.
 *
 * <p>It is part of the handler's views, and replaced with them. So it also tells a caller that has
 * kept views from the one whose request the exchange serves: its number isn't the present one. That
 * number is plain: it changes while no thread but the loop's may use the exchange, and stays once
 * other threads may (see {@link ExchangeUse}).
 */
public final class ExchangeTurns {
  private final ExchangeState exchange;
  private final ExchangeProgress progress;
  private final ExchangeUse use;
  private final ExchangeEnd ending;
  private final FirstStep firstStep;
  private final long number; // of the views

  ExchangeTurns(ExchangeState exchange, ExchangeEnd ending, FirstStep firstStep, long number) {
    this.exchange = exchange;
    this.progress = exchange.progress;
    this.use = exchange.use;
    this.ending = ending;
    this.firstStep = firstStep;
    this.number = number;
  }

  // ---- turns ----

  /** Returns true if the caller runs the loop, in a turn of the connection. */
  public boolean isInTurn() {
    return exchange.connection().isInTurn();
  }

  /** Enters the server's code like {@link Connection#enterTurn}; {@link #exit} must follow. */
  public int enter() {
    Connection entered = exchange.connectionIfAny();
    return entered == null ? LoopOwner.OUTSIDE : entered.enterTurn();
  }

  public void exit(int entered) {
    exchange.context.loop.owner().exit(entered);
  }

  /** Runs work in a turn of the connection. It must test whether the exchange has ended. */
  public void execute(Turn work) {
    if (!firstStep.execute(work)) { // what that submits is done before its exchange can end
      use.markHeld();
      exchange.connection().execute(work);
    }
  }

  /** Runs a step at once in a turn of the connection, otherwise in its next turn. */
  public void inTurn(Runnable step) {
    int entered = enter();
    if (entered == LoopOwner.OUTSIDE) {
      execute(step::run);
      return;
    }
    try {
      step.run();
    } finally {
      exit(entered);
    }
  }

  /**
   * Runs a step of the response like {@link #inTurn}. If it throws at once and no later one
   * succeeds, the exchange fails when the application's code has returned.
   */
  public void sendInTurn(Runnable step) {
    int entered = enter();
    if (entered == LoopOwner.OUTSIDE) {
      execute(step::run);
      return;
    }
    try {
      progress.beginSending();
      step.run();
      progress.endSending();
    } finally {
      exit(entered);
    }
  }

  // ---- a blocking handler ----

  /**
   * Defers a blocking handler until the handlers around it have returned, because a thread that
   * carries a virtual one must not hold a monitor, as those may. Returns false if it must run on a
   * thread of its own.
   */
  public boolean defer(BlockingWork work) {
    boolean possible =
        progress.isInHandler()
            && isInTurn()
            && !isStale()
            && CarriedThreads.isAvailable()
            && !exchange.context.loop.owner().isPinned();
    if (possible) {
      exchange.context.reuse.end(); // its thread may pass its views on, and so may any later one
      firstStep.defer(work);
    }
    return possible;
  }

  /**
   * Keeps the content of a response for the end of the handler's first step, which needs no task.
   * Returns false if it must be a task.
   */
  public boolean keep(byte[] content) {
    return firstStep.keep(content);
  }

  // ---- who may use the exchange ----

  /** Throws unless the caller may use the exchange. */
  public void checkUsable() {
    // only the loop ends the exchange, so in its turn the state can't change before the next check
    if (!isRunning() || progress.isEndedInTurn()) {
      checkElsewhere();
    }
  }

  /** Returns true if the caller is the handler, or a callback of it, in a turn. */
  private boolean isRunning() {
    Connection handled = exchange.connectionIfAny();
    return handled != null && (handled.isInTurn() || firstStep.isCurrent()) && !isStale();
  }

  /** Returns true if the exchange serves another request than that of these views. */
  private boolean isStale() {
    return number != exchange.number();
  }

  /** Returns true if the exchange was passed on to the caller, with these views. */
  private boolean isPassedOn() {
    return use.isPassedOn() && !isStale(); // in this order: the number stays from then on
  }

  /** Throws unless the caller, who isn't in a turn or whose exchange has ended, may use it. */
  private void checkElsewhere() {
    VarHandle.fullFence(); // a handler that was left is async before its thread can see that
    if (ending.isNotifying() && exchange.context.loop.isCurrent() && !isStale()) {
      return;
    }
    firstStep.await(number);
    boolean ended = isStale() || progress.isEnded();
    if (ended || (!isPassedOn() && !isRunning())) {
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
    if (isStale()) {
      exchange.context.reuse.end();
    } else if (!use.isAsync() && !progress.isAbandoned()) {
      use.endReuse();
    }
  }

  /**
   * Claims the exchange for a call that does nothing once it has ended. Returns true if the object
   * still represents the caller's exchange; if not, the object is kept by others than its handler,
   * and serves no other request.
   *
   * @throws IllegalStateException if the exchange was never passed on to the caller
   */
  public boolean claim() {
    if (isPassedOn()) {
      return true;
    }
    if (isStale() || progress.isEnded()) {
      onMisuse();
      return false;
    }
    checkUsable();
    return true;
  }

  /** Throws unless the object represents the caller's exchange, which may have ended. */
  public void checkCaller() {
    if (!isPassedOn() && !isAbandoned()) {
      checkUsable();
    }
  }

  /** Returns true if the connection ended before the exchange of these views did. */
  private boolean isAbandoned() {
    return progress.isAbandoned() && !isStale(); // in this order: the number stays from then on
  }

  /** Throws unless the caller may read the request: the copy of an async one outlives it. */
  public void checkReadable() {
    if (!isPassedOn()) {
      checkUsable();
    }
  }

  /** Has the exchange serve no other request, if what the caller gets may be kept elsewhere. */
  public void holdElsewhere() {
    if (!isInTurn()) {
      use.markHeld();
    }
  }

  // ---- the use by other threads ----

  /** Lets other threads use the exchange. */
  public void async() {
    int entered = enter();
    try {
      checkUsable();
      if (entered != LoopOwner.OUTSIDE) {
        becomeAsync();
        return;
      }
      synchronized (use) { // against the thread that takes the loop of a first step
        becomeAsync();
      }
    } finally {
      exit(entered);
    }
  }

  private void becomeAsync() {
    exchange.context.reuse.end();
    if (use.wasLeft()) {
      exchange.head.keepLeft();
      exchange.responseHead.keepFields();
      use.passOn();
    }
    if (use.isAsync()) {
      return;
    }
    exchange.head.keep(); // now, while no other thread can use the head
    exchange.responseHead.keepFields();
    exchange.connection().facts().keepAddresses();
    use.setAsync();
  }

  /** Indexes the fields of the request's head, which belongs to the caller. */
  public void index() {
    int entered = enter();
    try {
      if (entered != LoopOwner.OUTSIDE) {
        exchange.head.index();
        return;
      }
      synchronized (use) { // against the thread that takes the loop of a first step
        exchange.head.index();
      }
    } finally {
      exit(entered);
    }
  }
}
