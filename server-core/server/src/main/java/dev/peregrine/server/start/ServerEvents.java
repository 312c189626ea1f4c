package dev.peregrine.server.start;

import dev.peregrine.server.loop.watch.BlockedTurn;

/** The events of one server for a recorder of the JVM. Thread-safe. */
public interface ServerEvents extends AutoCloseable {
  /** Attaches before the loops run if the recorder is in use already. */
  void attachBeforeStart();

  /** Records from now on while any recording runs, unless it does so already. */
  void attach();

  /** Records a report of the watchdog. */
  void onBlocked(BlockedTurn turn);

  /** Ends the events of the server. Those of its connections follow until its loops have ended. */
  @Override
  void close();
}
