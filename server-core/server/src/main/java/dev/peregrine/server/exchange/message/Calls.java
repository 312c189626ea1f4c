package dev.peregrine.server.exchange.message;

import dev.peregrine.server.exchange.state.ExchangeProgress;
import dev.peregrine.server.exchange.state.ExchangeState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the application's code for one exchange, which fails if one of them throws. A response
 * that the code has closed is completed when it has returned. Used in turns of the connection only.
 */
public final class Calls {
  private final ExchangeState exchange;
  private final ExchangeProgress progress;
  private final ResponseSender sender;

  public Calls(ExchangeState exchange, ResponseSender sender) {
    this.exchange = exchange;
    this.progress = exchange.progress;
    this.sender = sender;
  }

  /** Begins a call. {@link #end} or {@link #fail} must follow. */
  void begin() {
    progress.beginCall();
    exchange.stream.onCall();
  }

  /** Ends a call that has returned normally; completes a response that it has closed. */
  void end() {
    progress.endCall();
    sender.completeIfClosing();
    endTorn();
  }

  /** Ends a call that has thrown. */
  void fail(Throwable failure) {
    progress.endCall();
    sender.fail(failure);
    endTorn();
  }

  /** Ends the exchange if its response is torn, at the end of the outermost call. */
  public void endTorn() {
    if (progress.takeTorn()) {
      sender.endTorn();
    }
  }

  /** Calls back, unless there is nothing to call, or the exchange has ended. */
  public void callIfAny(@Nullable Runnable callback) {
    if (callback != null) {
      call(callback);
    }
  }

  /** Runs the application's code, unless the exchange has ended. */
  public void call(Runnable work) {
    if (exchange.afterHandler.isAwaited()) {
      exchange.afterHandler.run(() -> call(work));
      return;
    }
    if (progress.isEnded()) {
      return;
    }
    begin();
    try {
      work.run();
      end();
    } catch (Throwable failure) {
      fail(failure);
    }
  }

  /** Runs all callbacks, unless the exchange has ended; then fails it if one of them threw. */
  public void callAll(@Nullable List<Runnable> callbacks) {
    if (callbacks == null || progress.isEnded()) {
      return;
    }
    begin();
    Throwable failure = null;
    for (Runnable callback : callbacks) {
      try {
        callback.run();
      } catch (Throwable thrown) {
        failure = firstOf(failure, thrown);
      }
    }
    if (failure == null) {
      end();
    } else {
      fail(failure);
    }
  }

  @SuppressWarnings("ReferenceEquality") // a throwable can't suppress itself
  private static Throwable firstOf(@Nullable Throwable first, Throwable next) {
    if (first == null) {
      return next;
    }
    if (first != next) {
      first.addSuppressed(next);
    }
    return first;
  }
}
