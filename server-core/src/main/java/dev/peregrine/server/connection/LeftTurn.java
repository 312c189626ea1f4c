package dev.peregrine.server.connection;

import dev.peregrine.server.transport.Relieved;
import java.io.IOException;

/** The end of a turn whose thread was relieved while it ran a handler; on the other thread. */
final class LeftTurn {
  private LeftTurn() {}

  /**
   * Lets the protocol go on, and does what the frames of the other thread would have done.
   *
   * @param endsAhead whether the client has ended its stream, and the protocol must be notified
   */
  static void end(Connection connection, boolean endsAhead) {
    InboundBuffer in = connection.group.inbound;
    try {
      if (endsAhead) {
        connection.onInputEndAhead();
      }
      if (connection.isOpen()) {
        connection.protocol().onInput(connection, in);
      }
      connection.end(in);
    } catch (IOException failure) {
      connection.onLost(in, failure);
    } catch (Relieved elsewhere) {
      throw elsewhere;
    } catch (Throwable failure) {
      connection.onFailure(failure);
    }
    endNotification(connection);
  }

  private static void endNotification(Connection connection) {
    try {
      connection.socket.endNotification();
    } catch (Throwable failure) {
      connection.onFailure(failure);
    }
    TurnQueue waiting = connection.turns;
    if (waiting != null) {
      waiting.endLeftRun();
    }
  }
}
