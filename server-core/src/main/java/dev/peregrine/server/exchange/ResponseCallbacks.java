package dev.peregrine.server.exchange;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks of one response for what may happen while it isn't complete; each runs once, whatever
 * another one throws. Belongs to the event loop.
 */
final class ResponseCallbacks {
  private final Exchange exchange;
  private @Nullable Consumer<IOException> onAbort;
  private @Nullable Runnable onClientClosed;
  private @Nullable Runnable onShutdown;

  ResponseCallbacks(Exchange exchange) {
    this.exchange = exchange;
  }

  void addOnAbort(Consumer<IOException> callback) {
    Consumer<IOException> first = onAbort;
    onAbort = first == null ? callback : cause -> tellBoth(first, callback, cause);
  }

  /** Runs the callback at once if the client has ended its side already. */
  void addOnClientClosed(Runnable callback) {
    if (exchange.stream.isClientEnded()) {
      exchange.call(callback);
    } else {
      onClientClosed = both(onClientClosed, callback);
      exchange.stream.watchClientEnd();
    }
  }

  /** Runs the callback at once if the server shuts down already. */
  void addOnShutdown(Runnable callback) {
    if (exchange.context.isDraining()) {
      exchange.call(callback);
    } else {
      onShutdown = both(onShutdown, callback);
    }
  }

  boolean awaitsClientEnd() {
    return onClientClosed != null;
  }

  /** The response can't be completed. */
  void onAbort(IOException cause) {
    Consumer<IOException> callback = onAbort;
    if (callback != null) {
      onAbort = null;
      tell(exchange, callback, cause);
    }
  }

  /** The client has ended its side; in a turn. */
  void onClientClosed() {
    Runnable callback = onClientClosed;
    if (callback != null) {
      onClientClosed = null;
      exchange.call(callback);
    }
  }

  /** The server has begun to shut down; in a turn. */
  void onShutdown() {
    Runnable callback = onShutdown;
    if (callback != null) {
      onShutdown = null;
      exchange.call(callback);
    }
  }

  /** Calls a callback that has no response any more which it could fail. */
  static void tell(Exchange exchange, Consumer<IOException> callback, IOException cause) {
    try {
      callback.accept(cause);
    } catch (Throwable thrown) {
      exchange.context.errors.log(exchange, "onAbort", thrown);
    }
  }

  private void tellBoth(
      Consumer<IOException> first, Consumer<IOException> second, IOException cause) {
    tell(exchange, first, cause);
    tell(exchange, second, cause);
  }

  private static Runnable both(@Nullable Runnable first, Runnable second) {
    if (first == null) {
      return second;
    }
    return () -> {
      try {
        first.run();
      } finally {
        second.run();
      }
    };
  }
}
