package dev.peregrine.server.exchange;

import java.lang.invoke.VarHandle;

/**
 * The stages of {@code Response.async(work)} that have not completed, and the handlers that run on
 * another thread than the loop's: they determine the end of the response. Belongs to the event
 * loop.
 */
final class PendingWork {
  private final Exchange exchange;
  private int stages;

  PendingWork(Exchange exchange) {
    this.exchange = exchange;
  }

  /** Begins to wait for a stage, or for the return of a handler on another thread. */
  void begin() {
    stages++;
  }

  /** Ends the wait for a stage that has completed normally, or was never begun. */
  void end() {
    stages--;
    exchange.sender.completeIfClosing();
  }

  /** Ends the wait for work that has failed; the caller fails the exchange. */
  void drop() {
    stages--;
  }

  boolean isPending() {
    return stages > 0;
  }

  /**
   * Fails the exchange if all of it has ended without a response; after each end. A handler may
   * still answer when a stage that it has begun is over.
   */
  void failIfForgotten() {
    if (stages == 0 && exchange.response.isForgotten() && !exchange.isOver()) {
      exchange.fail(new IllegalStateException("the work ended without a response"));
    }
  }

  /**
   * Returns true if work goes on for an exchange that was abandoned, and {@link
   * HttpStream#onWorkEnded} will be called. Not if its response was sent, because the rest of such
   * work is not awaited.
   */
  boolean isAbandoned() {
    VarHandle.fullFence(); // either this sees that the response was sent, or its sender the state
    return isPending() && exchange.isAbandoned() && !exchange.response.isSentWhole();
  }

  /** A stage has completed, perhaps after the exchange was abandoned. */
  void endIfAbandoned() {
    if (exchange.isAbandoned() && --stages == 0) {
      exchange.stream.onWorkEnded();
    }
  }
}
