package dev.peregrine.server.loop;

/** Handles the readiness of a socket, on its event loop. */
public interface ReadyHandler {
  /**
   * Called on the loop's thread.
   *
   * @param ops bits of {@link Ready}: those of interest, and {@link Ready#ERROR}
   */
  void onReady(int ops);

  /** Handles an exception of {@link #onReady}; must not throw itself. */
  void onFailure(Throwable failure);
}
