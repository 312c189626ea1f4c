package dev.peregrine.server.exchange;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks of a response for events before its end. Each runs once, in the order in which they
 * were added, even if another one throws. Belongs to the event loop.
 */
final class ResponseCallbacks {
  private final Exchange exchange;
  private @Nullable List<Consumer<IOException>> onAbort;
  private @Nullable List<Runnable> onClientClosed;
  private @Nullable List<Runnable> onShutdown;

  ResponseCallbacks(Exchange exchange) {
    this.exchange = exchange;
  }

  void addOnAbort(Consumer<IOException> callback) {
    onAbort = with(onAbort, callback);
  }

  /** Runs the callback at once if the client has ended its side already. */
  void addOnClientClosed(Runnable callback) {
    if (exchange.stream.isClientEnded()) {
      exchange.call(callback);
    } else {
      onClientClosed = with(onClientClosed, callback);
      exchange.stream.watchClientEnd();
    }
  }

  /** Runs the callback at once if the server shuts down already. */
  void addOnShutdown(Runnable callback) {
    if (exchange.context.isDraining()) {
      exchange.call(callback);
    } else {
      onShutdown = with(onShutdown, callback);
    }
  }

  boolean awaitsClientEnd() {
    return onClientClosed != null;
  }

  /** Calls back because the response can't be completed. */
  void onAbort(IOException cause) {
    List<Consumer<IOException>> callbacks = onAbort;
    onAbort = null;
    if (callbacks != null) {
      for (Consumer<IOException> callback : callbacks) {
        tell(exchange, callback, cause);
      }
    }
  }

  /** Calls back because the client has ended its side; in a turn. */
  void onClientClosed() {
    List<Runnable> callbacks = onClientClosed;
    onClientClosed = null;
    call(callbacks);
  }

  /** Calls back because the server has begun to shut down; in a turn. */
  void onShutdown() {
    List<Runnable> callbacks = onShutdown;
    onShutdown = null;
    call(callbacks);
  }

  /** Runs all callbacks, unless the exchange has ended; then fails it if one of them threw. */
  private void call(@Nullable List<Runnable> callbacks) {
    if (callbacks == null || exchange.isEnded()) {
      return;
    }
    exchange.beforeCall();
    Throwable failure = null;
    for (Runnable callback : callbacks) {
      try {
        callback.run();
      } catch (Throwable thrown) {
        failure = firstOf(failure, thrown);
      }
    }
    if (failure == null) {
      exchange.afterCall();
    } else {
      exchange.afterFailedCall(failure);
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

  /** Calls a callback whose exception can't fail a response any more. */
  static void tell(Exchange exchange, Consumer<IOException> callback, IOException cause) {
    try {
      callback.accept(cause);
    } catch (Throwable thrown) {
      exchange.context.errors.log(exchange, "onAbort", thrown);
    }
  }

  private static <C> List<C> with(@Nullable List<C> callbacks, C added) {
    List<C> all = callbacks == null ? new ArrayList<>(1) : callbacks;
    all.add(added);
    return all;
  }
}
