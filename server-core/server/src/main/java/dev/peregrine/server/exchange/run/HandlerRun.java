package dev.peregrine.server.exchange.run;

import dev.peregrine.base.BlockingWork;
import dev.peregrine.server.exchange.message.Calls;
import dev.peregrine.server.exchange.message.ExchangeEnd;
import dev.peregrine.server.exchange.message.PendingWork;
import dev.peregrine.server.exchange.message.RequestContent;
import dev.peregrine.server.exchange.message.ResponseSender;
import dev.peregrine.server.exchange.state.Errors;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.loop.Relieved;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.InboundBuffer;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the handler of an exchange runs: on the loop's thread, on a virtual thread that the loop
 * carries, or on a thread that was relieved from the loop. On the loop, unless a method says
 * otherwise.
 */
public final class HandlerRun {
  private final ExchangeState exchange;
  private ExchangeTurns turns; // of the handler's present views
  final FirstStep firstStep;
  public final ExchangeEnd ending;
  final ResponseSender sender;
  public final Calls calls;
  public final PendingWork work;
  public final RequestContent content;
  private @Nullable LeftRun left; // of a handler whose thread was relieved

  public HandlerRun(
      ExchangeState exchange,
      ExchangeEnd ending,
      ResponseSender sender,
      Calls calls,
      RequestContent content) {
    this.exchange = exchange;
    this.ending = ending;
    this.sender = sender;
    this.calls = calls;
    this.content = content;
    this.work = new PendingWork(exchange, sender);
    this.firstStep = new FirstStep(exchange, sender);
    this.turns = new ExchangeTurns(exchange, ending, firstStep, exchange.number());
  }

  /** Returns the turns of the handler's present views. */
  public ExchangeTurns turns() {
    return turns;
  }

  /** Creates the turns of the handler's next views. */
  public ExchangeTurns createTurns() {
    return new ExchangeTurns(exchange, ending, firstStep, exchange.number() + 1);
  }

  /** Replaces the turns, because the handler gets new views. */
  public void turnBy(ExchangeTurns next) {
    turns = next;
  }

  /**
   * Starts work of the application, for which the exchange becomes async; on any thread.
   *
   * @param caller the turns of the caller's views, which may be late
   */
  public void start(ExchangeTurns caller, Supplier<? extends CompletionStage<?>> supplier) {
    ResponseWork.start(exchange, caller, work, sender, supplier);
  }

  /**
   * Ends the run of the handler that {@link LoopOwner#begin} has begun.
   *
   * @throws Relieved if another thread has taken the loop meanwhile
   */
  public void end(LoopOwner owner, int run, @Nullable Throwable failure) {
    if (!owner.end(run)) {
      onLeftReturn(failure);
      throw Relieved.INSTANCE;
    }
    exchange.progress.endCalls();
  }

  /** Returns true while a handler that the loop carries runs its first step. */
  public boolean isInFirstStep() {
    return firstStep.isBegun();
  }

  /** Drops a blocking handler that was deferred, because the handler around it has thrown. */
  public void dropDeferred() {
    firstStep.drop();
  }

  /**
   * Runs the deferred handler, if there is one. If that is impossible, fails the exchange and
   * returns false.
   *
   * @throws Relieved if another thread has taken the loop meanwhile
   */
  public boolean runDeferred() {
    BlockingWork deferred = firstStep.take();
    return deferred == null || CarriedHandler.run(exchange, this, deferred);
  }

  /**
   * Leaves the handler of an exchange, because another thread takes the loop; on that thread, while
   * the handler runs and can't call the server. If this throws, nothing has changed.
   *
   * @param in the memory that the request's head lies in; null if it isn't reused
   */
  public void leave(@Nullable InboundBuffer in) {
    exchange.connection().facts().keepAddresses();
    if (in == null) {
      leave(new LeftRun(exchange, this, null));
      return;
    }
    Block next = in.acquireNext();
    try {
      leave(new LeftRun(exchange, this, in.block()));
    } catch (Throwable failure) {
      exchange.context.loop.bufferPool().release(next);
      throw failure;
    }
    in.giveBlock(next);
  }

  private void leave(LeftRun run) {
    run.begin();
    left = run;
  }

  /**
   * The handler has returned on its thread, if it was left; its exchange may have ended before
   * that.
   */
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
}
