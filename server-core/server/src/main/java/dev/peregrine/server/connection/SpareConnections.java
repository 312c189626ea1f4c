package dev.peregrine.server.connection;

import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.turn.Turn;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Closes the connections of a group that are of least use, because others need the room: those that
 * the server has ended and whose responses are sent, then the one that has been idle for longest.
 * Looks at a bounded number of connections, after those of the last time. So it is exact in a small
 * group and of bounded cost in a large one. On the loop's thread, outside of turns.
 */
public final class SpareConnections {
  private static final int LOOKED_AT_MAX = 256;
  private static final int TRIES_MAX = 4;

  private final CurrentTurn turn;
  private final ConnectionTable<Connection> connections;
  private final Loss loss = new Loss();
  private final Look look = new Look();
  private final End end = new End();
  private int next;

  SpareConnections(CurrentTurn turn, ConnectionTable<Connection> connections) {
    this.turn = turn;
    this.connections = connections;
  }

  /**
   * Closes one connection. It is read once more before, because a request may have arrived.
   *
   * @param shed whether to choose among those that are shed, otherwise among the others
   * @return false if none can be spared
   */
  public boolean closeOne(boolean shed) {
    boolean closed = false;
    for (int i = 0; i < TRIES_MAX && !closed; i++) {
      Connection found = find(shed);
      if (found == null) {
        return false;
      }
      closed = close(found);
    }
    return closed;
  }

  private @Nullable Connection find(boolean shed) {
    Connection best = null;
    int count = Math.min(connections.size(), LOOKED_AT_MAX);
    for (int i = 0; i < count; i++) {
      next = next < connections.size() ? next : 0;
      Connection seen = connections.get(next++);
      if (seen.isShed() == shed && (best == null || isBefore(seen, best)) && isSpare(seen)) {
        best = seen;
      }
    }
    return best;
  }

  private boolean close(Connection found) {
    LoopOwner owner = turn.context.loop.owner();
    owner.pin(); // the caller's frames can't be left
    try {
      turn.run(found, look);
      if (isSpare(found)) {
        end.target = found;
        found.turn(end);
        end.target = null;
      }
    } finally {
      owner.unpin();
    }
    return found.isClosed();
  }

  /** Returns true if closing a connection loses nothing. */
  private boolean isSpare(Connection seen) {
    return seen.closing.isLingering() ? !seen.closing.resets() : seen.isIdle() && !loss.isAny(seen);
  }

  private static boolean isBefore(Connection one, Connection other) {
    return one.isOpen() == other.isOpen() ? one.isDueBefore(other) : other.isOpen();
  }

  /** A turn in which a connection is read, whether it is ready or not. */
  private final class Look implements Turn {
    @Override
    public void run() throws IOException {
      turn.serve(Ready.READ);
    }
  }

  /** The last turn of a connection; not a lambda, because the heap may be full. */
  private static final class End implements Turn {
    private @Nullable Connection target;

    @Override
    public void run() throws IOException {
      Connection spared = target;
      if (spared == null) {
        return;
      }
      if (spared.isOpen()) {
        spared.protocol().onSpared(spared);
        spared.flush(true);
      }
      spared.close(CloseReason.OVERLOADED);
    }
  }

  /** Notes whether the close of a connection would lose anything. */
  private static final class Loss implements Consumer<Unfinished> {
    private boolean any;

    boolean isAny(Connection seen) {
      any = false;
      seen.protocol().reportUnfinished(seen, this);
      return any;
    }

    @Override
    public void accept(Unfinished lost) {
      any |= lost != Unfinished.NOTHING;
    }
  }
}
