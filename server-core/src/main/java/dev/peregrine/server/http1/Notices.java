package dev.peregrine.server.http1;

import org.jspecify.annotations.Nullable;

/**
 * Callbacks of one response for what may happen while it isn't complete; each runs once. Belongs to
 * the event loop.
 */
final class Notices {
  private @Nullable Runnable onClientClosed;
  private @Nullable Runnable onShutdown;

  void onClientClosed(Runnable callback) {
    onClientClosed = both(onClientClosed, callback);
  }

  void onShutdown(Runnable callback) {
    onShutdown = both(onShutdown, callback);
  }

  boolean awaitsClientEnd() {
    return onClientClosed != null;
  }

  /** Takes what is to be run when the client has ended its side. */
  @Nullable Runnable takeOnClientClosed() {
    Runnable taken = onClientClosed;
    onClientClosed = null;
    return taken;
  }

  /** Takes what is to be run when the server begins to shut down. */
  @Nullable Runnable takeOnShutdown() {
    Runnable taken = onShutdown;
    onShutdown = null;
    return taken;
  }

  /** Whatever the first throws, the second runs. */
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
