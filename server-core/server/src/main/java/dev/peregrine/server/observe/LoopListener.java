package dev.peregrine.server.observe;

/**
 * Observes one event loop: its connections, their exchanges, and the loop itself. Called on the
 * thread of the loop, except for {@link #onBlocked}. So it can count without synchronisation.
 */
public interface LoopListener extends ExchangeListener, ConnectionListener {
  /**
   * The watchdog has found a turn of the loop that lasts longer than {@code
   * ServerLimits.loopBlockedTime}. Called once for each activity in which it finds that turn, on
   * the watchdog's thread.
   *
   * @param nanos for how long the turn has lasted
   */
  default void onBlocked(long nanos) {}
}
