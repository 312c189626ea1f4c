package dev.peregrine.server.connection;

import dev.peregrine.base.Log;
import dev.peregrine.server.loop.BoundedLog;
import dev.peregrine.server.memory.DirectMemory;
import dev.peregrine.server.memory.HeapWatch;
import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections of a group when memory has run out, those of least use first. For the heap,
 * those that are idle. For direct memory, the one that holds the most, unless it has released some
 * or moves from one tick to the next. On the loop's thread, outside of turns.
 */
final class MemoryRelief {
  /** Bytes of buffers that a connection may hold however little memory is left. */
  static final long HELD_BYTES_MAX = 64 * 1024;

  /** Ticks in which a connection that moves must get rid of as many bytes as it holds. */
  static final int TICKS_MAX = 256;

  private static final int CLOSED_PER_TICK_MAX = 64;
  private static final long LOG_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final ConnectionGroup group;
  private final SpareConnections spare;
  private final HeapWatch heap = new HeapWatch();
  private final BoundedLog log;
  private long loggedNanos;
  private int shortages = DirectMemory.shortages(); // that have been looked at
  private @Nullable Connection suspect; // held the most at the last tick
  private long suspectBytes;
  private long suspectMoved; // bytes, up to the last tick
  private final Abort abort = new Abort();

  MemoryRelief(ConnectionGroup group) {
    this.group = group;
    this.spare = new SpareConnections(group);
    this.log = new BoundedLog(group.loop);
    this.loggedNanos = group.loop.nanos() - LOG_INTERVAL_NANOS;
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
      shortages = seen;
      closeHolder();
    }
  }

  private void closeIdle() {
    int closed = 0;
    while (closed < CLOSED_PER_TICK_MAX && spare.closeOne(false)) {
      closed++;
    }
    long now = group.loop.nanos();
    if (closed > 0 && now - loggedNanos >= LOG_INTERVAL_NANOS) {
      loggedNanos = now;
      Log.add(Level.WARNING, "idle connections are closed, because the heap (-Xmx) is full");
    }
  }

  /** Closes the suspect, unless it isn't stuck; then chooses the next. */
  private void closeHolder() {
    Connection seen = suspect;
    suspect = null;
    if (seen != null && !seen.isClosed() && isStuck(seen)) {
      report(seen, suspectBytes);
      abort.target = seen;
      seen.turn(abort);
      abort.target = null;
    }
    long most = HELD_BYTES_MAX;
    for (int i = 0; i < group.size(); i++) {
      Connection candidate = group.get(i);
      long held = heldBytes(candidate);
      if (held > most) {
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
    return connection.carriedBytes()
        + (connection.isOpen() ? connection.protocol().heldBytes(connection) : 0);
  }

  private void report(Connection closed, long bytes) {
    if (log.reserve()) {
      String remote;
      try {
        remote = String.valueOf(closed.remoteAddress());
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
