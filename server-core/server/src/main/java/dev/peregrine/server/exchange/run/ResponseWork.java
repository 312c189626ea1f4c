package dev.peregrine.server.exchange.run;

import dev.peregrine.base.FieldHandle;
import dev.peregrine.server.exchange.message.PendingWork;
import dev.peregrine.server.exchange.message.ResponseSender;
import dev.peregrine.server.exchange.state.ExchangeState;
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

  private final ExchangeState exchange;
  private final ExchangeTurns turns;
  private final PendingWork work;
  private final ResponseSender sender;
  private final PreparedTurn end; // submitted by the thread that sets over
  private boolean started = true;
  private @Nullable Throwable failure;

  @SuppressWarnings("UnusedVariable") // accessed by OVER
  private volatile boolean over;

  private ResponseWork(
      ExchangeState exchange, ExchangeTurns turns, PendingWork work, ResponseSender sender) {
    this.exchange = exchange;
    this.turns = turns;
    this.work = work;
    this.sender = sender;
    this.end = new PreparedTurn(exchange.connection().turns(), this);
  }

  /** Starts work, for which the exchange becomes async; throws the supplier's exceptions. */
  public static void start(
      ExchangeState exchange,
      ExchangeTurns turns,
      PendingWork work,
      ResponseSender sender,
      Supplier<? extends CompletionStage<?>> supplier) {
    turns.checkUsable(); // first: the answer is that of the present views
    exchange.answer.comesLater(false); // it ends with the work, unless that calls async too
    turns.async();
    ResponseWork started = new ResponseWork(exchange, turns, work, sender);
    turns.inTurn(work::begin);
    try {
      CompletionStage<?> stage = Objects.requireNonNull(supplier.get(), "the work has no stage");
      stage.whenComplete(started);
    } catch (Throwable failure) {
      started.cancel();
      throw failure;
    }
  }

  /** Takes back the start of work that has thrown. */
  private void cancel() {
    if (!OVER.compareAndSet(this, false, true)) {
      return;
    }
    int entered = turns.enter();
    try {
      if (entered != LoopOwner.OUTSIDE) {
        work.end();
      } else {
        started = false;
        end.submit();
      }
    } finally {
      turns.exit(entered);
    }
  }

  /** Handles the completion of the stage, on any thread, after all earlier writes. */
  @Override
  public void accept(@Nullable Object ignored, @Nullable Throwable thrown) {
    VarHandle.fullFence(); // see PendingWork.isAbandoned
    if ((thrown != null || !exchange.answer.isSentWhole() || exchange.progress.isAbandoned())
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
      work.endIfAbandoned();
      sender.fail(failure, true);
    } else if (!started) {
      work.end();
    } else {
      end();
    }
  }

  private void end() {
    if (exchange.progress.isEnded()) {
      work.endIfAbandoned();
      return;
    }
    work.end();
    work.failIfForgotten();
  }
}
