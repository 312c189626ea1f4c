package dev.peregrine.server.connection;

import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.observe.CloseReason;
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

  @SuppressWarnings("EnumOrdinal") // as Connection stores it
  private static final byte IDLE = (byte) Deadline.KEEP_ALIVE.ordinal();

  private final ConnectionGroup group;
  private final Loss loss = new Loss();
  private final End end = new End();
  private int next;

  /** Chooses among the connections of a group. */
  public SpareConnections(ConnectionGroup group) {
    this.group = group;
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
    int count = Math.min(group.size(), LOOKED_AT_MAX);
    for (int i = 0; i < count; i++) {
      next = next < group.size() ? next : 0;
      Connection seen = group.get(next++);
      if (seen.isShed() == shed && (best == null || isBefore(seen, best)) && isSpare(seen)) {
        best = seen;
      }
    }
    return best;
  }

  private boolean close(Connection found) {
    LoopOwner owner = group.loop.owner();
    owner.pin(); // the caller's frames can't be left
    try {
      ConnectionSweep.readOnce(found);
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
    if (seen.state == ConnectionState.LINGERING) {
      return !seen.endsWithReset;
    }
    boolean idle =
        seen.state == ConnectionState.OPEN
            && seen.deadline == IDLE
            && seen.deadlineNanos != Connection.NO_DEADLINE
            && seen.unsent == null
            && seen.carried == null
            && !seen.wantsTurn();
    return idle && !loss.isAny(seen);
  }

  private static boolean isBefore(Connection one, Connection other) {
    return one.state == other.state
        ? one.deadlineNanos - other.deadlineNanos < 0
        : one.state == ConnectionState.LINGERING;
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
