package dev.peregrine.server.exchange.message;

import dev.peregrine.server.exchange.state.ExchangeProgress;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.exchange.state.HttpStream;
import java.lang.invoke.VarHandle;

/**
 * The stages of {@code Response.async(work)} that have not completed, and the handlers that run on
 * another thread than the loop's: they determine the end of the response. Belongs to the event
 * loop.
 */
public final class PendingWork {
  private final ExchangeState exchange;
  private final ExchangeProgress progress;
  private final ResponseSender sender;

  public PendingWork(ExchangeState exchange, ResponseSender sender) {
    this.exchange = exchange;
    this.progress = exchange.progress;
    this.sender = sender;
  }

  /** Begins to wait for a stage, or for the return of a handler on another thread. */
  public void begin() {
    progress.beginStage();
  }

  /** Ends the wait for a stage that has completed normally, or was never begun. */
  public void end() {
    progress.endStage();
    sender.completeIfClosing();
  }

  /** Ends the wait for work that has failed; the caller fails the exchange. */
  public void drop() {
    progress.endStage();
  }

  /**
   * Fails the exchange if all of it has ended without a response; after each end. A handler may
   * still answer when a stage that it has begun is over.
   */
  public void failIfForgotten() {
    if (!progress.isPending() && exchange.answer.isForgotten() && !progress.isOver()) {
      sender.fail(new IllegalStateException("the work ended without a response"));
    }
  }

  /**
   * Returns true if work goes on for an exchange that was abandoned, and {@link
   * HttpStream#onWorkEnded} will be called. Not if its response was sent, because the rest of such
   * work is not awaited.
   */
  public boolean isAbandoned() {
    VarHandle.fullFence(); // either this sees that the response was sent, or its sender the state
    return progress.isPending() && progress.isAbandoned() && !exchange.answer.isSentWhole();
  }

  /** A stage has completed, perhaps after the exchange was abandoned. */
  public void endIfAbandoned() {
    if (progress.isAbandoned()) {
      progress.endStage();
      if (!progress.isPending()) {
        exchange.stream.onWorkEnded();
      }
    }
  }
}
