package dev.peregrine.server.connection;

import dev.peregrine.server.loop.LoopTask;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Work on its way to a turn of its connection. */
final class TurnTask extends LoopTask {
  private static final Logger LOGGER = System.getLogger("dev.peregrine.server");

  private final Connection connection;
  private final Connection.Turn work;

  TurnTask(Connection connection, Connection.Turn work) {
    this.connection = connection;
    this.work = work;
  }

  @Override
  protected void run() {
    connection.turn(work);
  }

  @Override
  protected void onRejected() {
    runClosed(work); // the loop closed its connections before it ended
  }

  /** Runs work for which there is no turn any more. */
  static void runClosed(Connection.Turn work) {
    try {
      work.run();
    } catch (IOException failure) {
      LOGGER.log(Level.DEBUG, "connection lost", failure);
    }
  }
}
