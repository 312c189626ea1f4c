package dev.peregrine.server.exchange;

import dev.peregrine.base.FieldHandle;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.turn.PreparedTurn;
import dev.peregrine.server.turn.Turn;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work of the application that completes a response. Its failure fails the exchange. A stream that
 * it closes completes the response when the work has completed.
 *
 * <p>A stage swallows what its callbacks throw. So all that is needed to tell the loop of the end
 * is created at the start.
 */
final class ResponseWork implements BiConsumer<@Nullable Object, @Nullable Throwable>, Turn {
  private static final VarHandle OVER =
      FieldHandle.of(MethodHandles.lookup(), "over", boolean.class);

  private final Exchange exchange;
  private final PreparedTurn end; // submitted by the thread that sets over
  private boolean started = true;
  private @Nullable Throwable failure;

  @SuppressWarnings("UnusedVariable") // accessed by OVER
  private volatile boolean over;

  private ResponseWork(Exchange exchange) {
    this.exchange = exchange;
    this.end = new PreparedTurn(exchange.connection().turns(), this);
  }

  /** Starts work for an async exchange; throws the supplier's exceptions. */
  static void start(Exchange exchange, Supplier<? extends CompletionStage<?>> supplier) {
    ResponseWork work = new ResponseWork(exchange);
    exchange.inTurn(exchange.work::begin);
    try {
      CompletionStage<?> stage = Objects.requireNonNull(supplier.get(), "the work has no stage");
      stage.whenComplete(work);
    } catch (Throwable failure) {
      work.cancel();
      throw failure;
    }
  }

  /** Takes back the start of work that has thrown. */
  private void cancel() {
    if (!OVER.compareAndSet(this, false, true)) {
      return;
    }
    int entered = exchange.enterTurn();
    try {
      if (entered != LoopOwner.OUTSIDE) {
        exchange.work.end();
      } else {
        started = false;
        end.submit();
      }
    } finally {
      exchange.exitTurn(entered);
    }
  }

  /** Handles the completion of the stage, on any thread, after all earlier writes. */
  @Override
  public void accept(@Nullable Object ignored, @Nullable Throwable thrown) {
    VarHandle.fullFence(); // see PendingWork.isAbandoned
    if ((thrown != null || !exchange.response.isSentWhole() || exchange.isAbandoned())
        && OVER.compareAndSet(this, false, true)) {
      Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
      failure = cause != null ? cause : thrown;
      end.submit();
    }
  }

  /** Ends the work, in a turn. */
  @Override
  public void run() {
    if (failure != null) {
      exchange.work.endIfAbandoned();
      exchange.sender.fail(failure, true);
    } else if (!started) {
      exchange.work.end();
    } else {
      end();
    }
  }

  private void end() {
    if (exchange.isEnded()) {
      exchange.work.endIfAbandoned();
      return;
    }
    exchange.work.end();
    exchange.work.failIfForgotten();
  }
}
