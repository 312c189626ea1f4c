package dev.peregrine.server.transport;

/** Handles the readiness of a socket, on its event loop. */
public interface ReadyHandler {
  /**
   * Called on the loop's thread.
   *
   * @param ops bits of {@link Ready}: those of interest, and {@link Ready#ERROR}
   */
  void onReady(int ops);

  /**
   * A layer of the socket has completed its handshake. On the loop's thread; not called for a
   * socket that needs none.
   *
   * @param nanos how long it took, in nanoseconds
   */
  default void onOpened(long nanos) {}

  /**
   * Another socket has taken the place of the attached one, because the loop has changed its
   * transport; it is interested in nothing yet. On the loop's thread, outside of {@link #onReady}.
   * Must not throw.
   *
   * @param next has the same facts, and is attached with this handler
   */
  default void onMoved(StreamSocket next) {
    throw new UnsupportedOperationException("this socket doesn't move");
  }

  /** Handles an exception of {@link #onReady}; must not throw itself. */
  void onFailure(Throwable failure);
}
