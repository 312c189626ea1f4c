package dev.peregrine.server.connection;

import dev.peregrine.base.Log;
import dev.peregrine.server.loop.BoundedLog;
import dev.peregrine.server.memory.DirectMemory;
import dev.peregrine.server.memory.HeapWatch;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.turn.Turn;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections of a group when memory has run out, those of least use first. For the heap,
 * those that are idle. For direct memory, the one that holds the most, unless it has released some
 * or moves from one tick to the next: then the one that holds the most after it, and so on, so that
 * none that moves shields one that is stuck. On the loop's thread, outside of turns.
 */
final class MemoryRelief {
  /** Bytes of buffers that a connection may hold however little memory is left. */
  static final long HELD_BYTES_MAX = 64 * 1024;

  /** Ticks in which a connection that moves must get rid of as many bytes as it holds. */
  static final int TICKS_MAX = 256;

  private static final int NO_SLOT = -1;
  private static final int CLOSED_PER_TICK_MAX = 64;
  private static final long LOG_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final ConnectionContext context;
  private final ConnectionTable<Connection> connections;
  private final SpareConnections spare;
  private final HeapWatch heap = new HeapWatch();
  private final BoundedLog log;
  private long loggedNanos;
  private int shortages = DirectMemory.shortages(); // that have been looked at
  private @Nullable Connection suspect; // chosen at the last tick
  private long suspectBytes;
  private long suspectMoved; // bytes, up to the last tick
  private final Abort abort = new Abort();

  MemoryRelief(CurrentTurn turn, ConnectionTable<Connection> connections) {
    this.context = turn.context;
    this.connections = connections;
    this.spare = new SpareConnections(turn, connections);
    this.log = new BoundedLog(context.loop);
    this.loggedNanos = context.loop.nanos() - LOG_INTERVAL_NANOS;
  }

  /** Closes connections if memory has run out; to be called by each tick. */
  void onTick() {
    onTick(heap.isFull(), DirectMemory.shortages());
  }

  /**
   * Closes connections if memory has run out.
   *
   * @param isHeapFull whether little of the heap is free
   * @param seen how often no direct memory was left so far
   */
  void onTick(boolean isHeapFull, int seen) {
    if (isHeapFull) {
      closeIdle();
    }
    if (suspect != null || seen != shortages) {
      closeHolder(seen);
    }
  }

  private void closeIdle() {
    int closed = 0;
    while (closed < CLOSED_PER_TICK_MAX && spare.closeOne(false)) {
      closed++;
    }
    long now = context.loop.nanos();
    if (closed > 0 && now - loggedNanos >= LOG_INTERVAL_NANOS) {
      loggedNanos = now;
      Log.add(Level.WARNING, "idle connections are closed, because the heap (-Xmx) is full");
    }
  }

  /**
   * Closes the suspect, or chooses the next one if it isn't stuck. Begins again with the largest if
   * there is none, and memory has run out since the last time.
   */
  private void closeHolder(int seen) {
    Connection last = suspect;
    suspect = null;
    if (last != null && !last.isClosed()) {
      if (isStuck(last)) {
        report(last, suspectBytes);
        abort.target = last;
        last.turn(abort);
        abort.target = null;
      } else {
        choose(suspectBytes, last.slot());
      }
    }
    if (suspect == null && seen != shortages) {
      shortages = seen;
      choose(Long.MAX_VALUE, NO_SLOT);
    }
  }

  /**
   * Chooses the connection that holds the most of those below another one: it holds less, or as
   * much in a lower slot. So each choice is below the one before.
   */
  private void choose(long otherBytes, int otherSlot) {
    long most = HELD_BYTES_MAX + 1;
    for (int i = 0; i < connections.size(); i++) {
      Connection candidate = connections.get(i);
      long held = heldBytes(candidate);
      boolean isBelow = held < otherBytes || (held == otherBytes && i < otherSlot);
      if (isBelow && i != otherSlot && held >= most) {
        most = held;
        suspect = candidate;
      }
    }
    suspectBytes = most;
    suspectMoved = suspect == null ? 0 : movedBytes(suspect);
  }

  private boolean isStuck(Connection seen) {
    long moved = movedBytes(seen) - suspectMoved;
    return heldBytes(seen) >= suspectBytes && moved < suspectBytes / TICKS_MAX;
  }

  private static long movedBytes(Connection connection) {
    return connection.isOpen() ? connection.protocol().movedBytes(connection) : 0;
  }

  private static long heldBytes(Connection connection) {
    return connection.input().carriedBytes()
        + (connection.isOpen() ? connection.protocol().heldBytes(connection) : 0);
  }

  private void report(Connection closed, long bytes) {
    if (log.reserve()) {
      String remote;
      try {
        remote = String.valueOf(closed.facts().remoteAddress());
      } catch (IOException unknown) {
        remote = "a connection";
      }
      log.add("closed " + remote + ", which held " + bytes + " bytes of buffers: none were left");
    }
  }

  /** Not a lambda, which would be linked when memory has run out. */
  private static final class Abort implements Turn {
    private @Nullable Connection target;

    @Override
    public void run() {
      if (target != null) {
        target.abort(CloseReason.OVERLOADED);
      }
    }
  }
}
