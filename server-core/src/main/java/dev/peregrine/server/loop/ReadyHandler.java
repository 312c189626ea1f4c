package dev.peregrine.server.loop;

/** Told by its event loop that a socket is ready. */
public interface ReadyHandler {
  /**
   * Called on the loop's thread.
   *
   * @param ops bits of {@link Ready}: those of interest, and {@link Ready#ERROR}
   */
  void onReady(int ops);

  /** Takes whatever {@link #onReady} threw; must not throw itself. */
  void onFailure(Throwable failure);
}
