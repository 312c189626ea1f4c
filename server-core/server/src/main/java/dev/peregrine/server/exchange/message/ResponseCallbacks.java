package dev.peregrine.server.exchange.message;

import dev.peregrine.http.ContentType;
import dev.peregrine.server.exchange.state.ExchangeProgress;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.exchange.state.ResponseHead;
import dev.peregrine.server.exchange.text.FieldLines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks of a response for events before its end. Each runs once, even if another one throws: in
 * the order in which they were added, except that those before the commit run in reverse order.
 * Belongs to the event loop.
 */
public final class ResponseCallbacks {
  private final ExchangeState exchange;
  private @Nullable List<Consumer<IOException>> onAbort;
  private @Nullable List<Runnable> onClientClosed;
  private @Nullable List<Runnable> onShutdown;
  private @Nullable List<Runnable> beforeCommit;
  private @Nullable ResponseHead committing; // the head that those change while they run

  public ResponseCallbacks(ExchangeState exchange) {
    this.exchange = exchange;
  }

  /** Adds a callback, or calls it at once if the response is over without being complete. */
  public void addOnAbort(Consumer<IOException> callback) {
    if (exchange.progress.isOver()) {
      exchange.afterHandler.run(() -> tellIfAborted(exchange, callback));
    } else {
      onAbort = with(onAbort, callback);
    }
  }

  /** Calls back because the response is over, unless the handler had completed it. */
  public static void tellIfAborted(ExchangeState exchange, Consumer<IOException> callback) {
    if (!exchange.answer.isEnded()) {
      tell(exchange, callback, new IOException("the exchange has ended"));
    }
  }

  /** Adds a callback. Returns false if it is due now, because the client has ended its side. */
  public boolean addOnClientClosed(Runnable callback) {
    if (exchange.stream.isClientEnded()) {
      return false;
    }
    onClientClosed = with(onClientClosed, callback);
    exchange.stream.watchClientEnd();
    return true;
  }

  /** Adds a callback. Returns false if it is due now, because the server shuts down. */
  public boolean addOnShutdown(Runnable callback) {
    if (exchange.context.isDraining()) {
      return false;
    }
    onShutdown = with(onShutdown, callback);
    return true;
  }

  /** Adds a callback, unless the head of the response has been sent. */
  public void addBeforeCommit(Runnable callback) {
    if (exchange.progress.decideHead() == ExchangeProgress.SEND) {
      beforeCommit = with(beforeCommit, callback);
    }
  }

  /** Returns the head that the caller may change as such a callback; null if it isn't one. */
  @Nullable ResponseHead committing() {
    return exchange.context.loop.isCurrent() ? committing : null;
  }

  /**
   * A head is about to be sent: runs the callbacks that wait for it, the one that was added last
   * first, until one of them fails. Returns that failure; null if none did. The others still wait.
   */
  @Nullable Throwable beforeCommit(ResponseHead head) {
    ResponseHead outer = committing;
    committing = head;
    head.framed(true);
    try {
      while (beforeCommit != null) {
        Runnable callback = beforeCommit.removeLast();
        if (beforeCommit.isEmpty()) {
          beforeCommit = null;
        }
        callback.run();
      }
      return null;
    } catch (Throwable thrown) {
      return thrown;
    } finally {
      head.framed(false);
      committing = outer;
    }
  }

  /**
   * The head of an error is about to be sent: runs the callbacks that wait for it. A failure is
   * logged. Returns the content type of the error.
   */
  @Nullable ContentType beforeErrorCommit(FieldLines fields, @Nullable ContentType type) {
    if (beforeCommit == null) {
      return type;
    }
    ResponseHead head = new ResponseHead(exchange.stream, fields);
    if (type != null) {
      head.type(type);
    }
    Throwable failure = beforeCommit(head);
    while (failure != null) {
      exchange.context.errors.log(exchange.head, "beforeCommit", failure);
      failure = beforeCommit(head);
    }
    return head.type();
  }

  boolean awaitsClientEnd() {
    return onClientClosed != null;
  }

  /**
   * Calls back because the response can't be completed: when a handler that was left has returned,
   * otherwise now.
   */
  void onAbort(IOException cause) {
    if (exchange.afterHandler.isAwaited()) {
      try {
        exchange.afterHandler.run(() -> tellAborted(cause));
        return;
      } catch (Throwable noMemory) {
        // rather too early than not at all
      }
    }
    tellAborted(cause);
  }

  private void tellAborted(IOException cause) {
    List<Consumer<IOException>> callbacks = onAbort;
    onAbort = null;
    if (callbacks != null) {
      for (int i = 0; i < callbacks.size(); i++) { // by index: an iterator needs memory
        tell(exchange, callbacks.get(i), cause);
      }
    }
  }

  /** Takes the callbacks for the end of the client's side; null if there are none. */
  @Nullable List<Runnable> takeOnClientClosed() {
    List<Runnable> callbacks = onClientClosed;
    onClientClosed = null;
    return callbacks;
  }

  /** Takes the callbacks for the shutdown of the server; null if there are none. */
  @Nullable List<Runnable> takeOnShutdown() {
    List<Runnable> callbacks = onShutdown;
    onShutdown = null;
    return callbacks;
  }

  /** Calls a callback whose exception can't fail a response any more. */
  private static void tell(
      ExchangeState exchange, Consumer<IOException> callback, IOException cause) {
    try {
      callback.accept(cause);
    } catch (Throwable thrown) {
      exchange.context.errors.log(exchange.head, "onAbort", thrown);
    }
  }

  private static <C> List<C> with(@Nullable List<C> callbacks, C added) {
    List<C> all = callbacks == null ? new ArrayList<>(1) : callbacks;
    all.add(added);
    return all;
  }
}
