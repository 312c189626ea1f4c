package dev.peregrine.server.connection;

import dev.peregrine.base.Incident;
import dev.peregrine.server.loop.LoopTimer;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.pace.ClientClock;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.turn.Turn;
import dev.peregrine.server.turn.TurnQueue;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks every connection of a loop about once a second, a part of them each tick. Clients are
 * judged by the {@link ClientClock}. On the loop's thread, outside of turns.
 */
final class ConnectionSweep {
  /** Ticks in which each connection is checked once. */
  static final int TICKS = 4;

  // Closing a connection takes some ten microseconds, and a client can open thousands at a time.
  private static final int DUE_PER_TURN_MAX = 64;

  /** The client wasn't late. */
  private static final int NOT_DUE = 0;

  /** A deadline had passed. */
  private static final int DUE = 1;

  /** More is late than was ended now, which took as long as the end of several connections. */
  private static final int AGAIN = 8;

  private final CurrentTurn turn;
  private final ConnectionContext context;
  private final ClientClock clock;
  private final ConnectionTable<Connection> connections;
  private final MemoryRelief relief;
  private final LoopTimer ticks;
  private final Judgement judgement = new Judgement();
  private boolean ticking;
  private int next; // slot to check

  ConnectionSweep(CurrentTurn turn, ConnectionTable<Connection> connections) {
    this.turn = turn;
    this.context = turn.context;
    this.clock = context.clock;
    this.connections = connections;
    this.relief = new MemoryRelief(turn, connections);
    this.ticks = context.loop.timer(new Tick());
  }

  /** Begins to tick if it doesn't, because there is a connection. */
  void begin() {
    if (!ticking) {
      ticking = true;
      clock.resume();
      ticks.start(clock.tickNanos);
    }
  }

  /** Checks every connection. */
  void sweepAll() {
    clock.tick();
    for (int i = connections.size() - 1; i >= 0; i--) {
      if (i < connections.size() && sweep(connections.get(i)) == AGAIN) { // it may close several
        ticks.start(0);
      }
    }
  }

  private void tick() {
    ticks.start(clock.tickNanos); // first, so that the next tick happens even if this one throws
    clock.tick();
    context.loop.bufferPool().leases().endLost();
    if (!sweepPart()) {
      ticks.start(0); // at once, but after the sockets that have become ready
    }
    if (connections.size() == 0) {
      ticking = false;
      ticks.cancel();
      context.loop.bufferPool().trim();
    } else {
      context.loop.bufferPool().trimUnused();
      relief.onTick();
    }
  }

  /** Lets the time of a tick pass at once. */
  void skipTick() {
    clock.skipTick();
    if (!sweepPart()) {
      ticks.start(0);
    }
    relief.onTick();
  }

  /**
   * Checks the next part of the connections. Returns false if it ended early, because closing more
   * connections in this tick would make the others wait.
   */
  private boolean sweepPart() {
    int part = connections.size() / TICKS + 1;
    int due = 0;
    int checked = 0;
    while (checked < part && connections.size() > 0) {
      if (due >= DUE_PER_TURN_MAX) {
        return false;
      }
      if (next >= connections.size()) {
        next = 0;
      }
      int result = sweep(connections.get(next));
      due += result;
      if (result != AGAIN) {
        next++;
        checked++;
      }
    }
    return true;
  }

  /**
   * Checks a connection. An exception is logged, so that the other connections are checked too. The
   * connection keeps its deadline.
   */
  private int sweep(Connection connection) {
    try {
      return check(connection, clock.countedNanos());
    } catch (Throwable failure) {
      context.loop.contain(Incident.SWEEP_FAILED, failure);
      return DUE;
    }
  }

  private int check(Connection swept, long nowNanos) {
    TurnQueue waiting = swept.knownTurns();
    if (waiting != null && waiting.handOverIfLost(nowNanos)) {
      context.loop.report(Incident.TURN_LOST, null);
    }
    boolean forgotten = isOutputForgotten(swept);
    if (forgotten) {
      context.loop.report(Incident.OUTPUT_LOST, null);
    }
    if (!forgotten && !isLate(swept, nowNanos)) {
      return NOT_DUE;
    }
    judgement.begin(swept, forgotten, nowNanos);
    turn.run(swept, judgement);
    return judgement.again ? AGAIN : DUE;
  }

  /** Returns true if output waits and nothing would have it sent. */
  private static boolean isOutputForgotten(Connection swept) {
    boolean waits = swept.output().isAwaited();
    return swept.socket.isWriteForgotten(waits)
        || (!waits
            && swept.isOpen()
            && swept.attachment() != null
            && !swept.wantsTurn()
            && swept.protocol().isOutputForgotten(swept));
  }

  private static boolean isLate(Connection swept, long nowNanos) {
    ConnectionOutput output = swept.output();
    return swept.isDue(nowNanos)
        || output.isTakingTooSlowly(nowNanos)
        || isSendingTooSlowly(swept, nowNanos)
        || output.isOverdue(nowNanos)
        || output.needsWrite();
  }

  /**
   * Returns true if the client sends too slowly; false while the connection isn't read, because the
   * client can't send then.
   */
  private static boolean isSendingTooSlowly(Connection swept, long nowNanos) {
    return swept.attachment() != null
        && !swept.output().isBlocked()
        && !swept.wantsTurn()
        && swept.isOpen()
        && swept.protocol().isSendingTooSlowly(swept, nowNanos);
  }

  private static void onDeadline(Connection due) throws IOException {
    Deadline passed = due.takeDeadline();
    if (due.isOpen()) {
      due.protocol().onDeadline(due, passed);
    } else if (due.output().isStillTaking()) {
      due.linger(due.closing.resets());
    } else {
      due.close(due.closing.reason());
    }
  }

  /**
   * The turn of a connection whose client seems to be late, or whose output was forgotten. It is
   * read and written once more before its client is judged.
   */
  private final class Judgement implements Turn {
    private @Nullable Connection judged;
    private boolean forgotten;
    private boolean again; // it must be judged again soon
    private long nowNanos;

    void begin(Connection late, boolean wasForgotten, long atNanos) {
      judged = late;
      forgotten = wasForgotten;
      again = false;
      nowNanos = atNanos;
    }

    @Override
    public void run() throws IOException {
      Connection swept = Objects.requireNonNull(judged);
      judged = null;
      if (forgotten) {
        swept.output().awaitAnew();
      }
      boolean writes = forgotten || swept.output().isUnsent();
      turn.serve(writes ? Ready.WRITE | Ready.READ : Ready.READ);
      swept.output().expire(nowNanos);
      if (swept.output().isTakingTooSlowly(nowNanos)) {
        swept.protocol().onTakingTooSlowly(swept);
        swept.abort(CloseReason.CLIENT_TOO_SLOW);
      } else if (swept.isDue(nowNanos)) {
        onDeadline(swept);
      } else if (isSendingTooSlowly(swept, nowNanos)) {
        again = swept.protocol().onSendingTooSlowly(swept);
        turn.goOn();
      }
    }
  }

  // Not a lambda, to start sooner: see docs/ARCHITECTURE.md.

  private final class Tick implements Runnable {
    @Override
    public void run() {
      tick();
    }
  }
}
