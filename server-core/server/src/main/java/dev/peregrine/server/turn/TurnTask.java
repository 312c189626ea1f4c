package dev.peregrine.server.turn;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.loop.EventLoop;
import java.io.IOException;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/** Work that waits for a turn of its connection, and its node in a {@link TurnQueue}. */
class TurnTask {
  final Turn work;
  @Nullable TurnTask next;

  TurnTask(Turn work) {
    this.work = work;
  }

  /** Creates a node that is its own work, so that both are one object. */
  @SuppressWarnings("this-escape") // only stored
  protected TurnTask() {
    work = (Turn) this;
  }

  /** Runs work after its connection has closed, so that the work releases its resources. */
  static void runClosed(Turn work, EventLoop loop) {
    try {
      work.run();
    } catch (IOException failure) {
      Log.add(Level.DEBUG, Incident.CONNECTION_LOST, failure);
    } catch (Throwable failure) {
      loop.contain(Incident.CLOSED_TASK_FAILED, failure);
    }
  }
}
