package dev.peregrine.server.turn;

import java.io.IOException;

/** The work of a turn of a connection. */
@FunctionalInterface
public interface Turn {
  /** Runs on the loop's thread; outside of any turn if the connection is closed already. */
  void run() throws IOException;
}
