package dev.peregrine.server.exchange;

import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work of the application that completes a response. Its failure fails the exchange. A stream that
 * it closes completes the response when the work has completed.
 */
final class ResponseWork {
  private final Exchange exchange;

  private ResponseWork(Exchange exchange) {
    this.exchange = exchange;
  }

  /** Starts work for an async exchange; throws the supplier's exceptions. */
  static void start(Exchange exchange, Supplier<? extends CompletionStage<?>> supplier) {
    exchange.inTurn(exchange.work::begin);
    CompletionStage<?> stage;
    try {
      stage = Objects.requireNonNull(supplier.get(), "the work has no stage");
    } catch (Throwable failure) {
      exchange.inTurn(exchange.work::end);
      throw failure;
    }
    ResponseWork work = new ResponseWork(exchange);
    stage.whenComplete((ignored, failure) -> work.onComplete(failure));
  }

  /** Handles the completion of the stage, on any thread, after all earlier writes. */
  private void onComplete(@Nullable Throwable failure) {
    VarHandle.fullFence(); // see PendingWork.isAbandoned
    if (failure != null) {
      Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
      exchange.execute(() -> fail(cause != null ? cause : failure));
    } else if (!exchange.response.isSentWhole() || exchange.isAbandoned()) {
      exchange.execute(this::end);
    }
  }

  private void fail(Throwable failure) {
    exchange.work.endIfAbandoned();
    exchange.sender.fail(failure, true);
  }

  private void end() {
    if (exchange.isEnded()) {
      exchange.work.endIfAbandoned();
      return;
    }
    exchange.work.end();
    if (exchange.response.isForgotten() && !exchange.isOver()) {
      exchange.fail(new IllegalStateException("the work ended without a response"));
    }
  }
}
