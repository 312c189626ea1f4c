package dev.peregrine.server.transport;

import java.io.IOException;

/**
 * Reports of a poller about a socket that other threads use and close. Belongs to the loop's
 * thread, except {@link #reports}. Directions are bits of {@link Ready}.
 */
public interface SocketWatch {
  /** Begins the reports; what the socket is ready for already is reported as well. */
  void begin(Poller poller) throws IOException;

  /**
   * Ends the reports.
   *
   * @param isOpen true if the socket is open, and stays so during this call
   */
  void end(boolean isOpen);

  /** Returns true unless {@link #end} must be called again, in a later turn of the loop. */
  default boolean hasEnded() {
    return true;
  }

  /**
   * Returns true if the readiness of a direction is reported without {@link #report}; callable from
   * any thread.
   */
  boolean reports(int direction);

  /** Has the readiness of those directions be reported in which a thread waits. */
  void report();

  /** A receiver of reports, on the loop's thread. */
  interface Listener {
    /** Returns true if a thread waits in that direction. */
    boolean isAwaited(int direction);

    /** A direction may be ready. */
    void onReady(int direction);

    /** From now on a read that brings less than it may doesn't mean that the socket is empty. */
    void onInputEnd();

    /** There are no reports any more, because the loop has ended. */
    void onLoopEnd();

    /** There are no reports any more, because the poller has failed. */
    void onLost(Throwable failure);

    /** Handles what {@link #onReady} has thrown. */
    void onFailure(Throwable failure);
  }
}
