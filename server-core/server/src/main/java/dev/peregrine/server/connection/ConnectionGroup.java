package dev.peregrine.server.connection;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.facts.ConnectionCount;
import dev.peregrine.server.connection.facts.LoopRecord;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.pace.ClientClock;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The connections of one event loop: opens, counts and closes them. {@link ConnectionContext} has
 * what they share, {@link ConnectionSweep} their deadlines. Used by the loop's thread only, unless
 * a method says otherwise.
 */
public final class ConnectionGroup {
  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long SWEEP_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(20);

  final ClientClock clock;
  final ConnectionTable<Connection> connections = new ConnectionTable<>();
  final CurrentTurn turn;
  final ConnectionSweep sweep;
  private final ConnectionContext context;

  /** Creates the group of a loop that isn't running yet. */
  public ConnectionGroup(EventLoop loop, ServerLimits limits) {
    long sweepNanos = Math.clamp(shortestNanos(limits) / 4, SWEEP_NANOS_MIN, SWEEP_NANOS);
    clock = new ClientClock(loop, sweepNanos / ConnectionSweep.TICKS);
    context =
        new ConnectionContext(loop, limits, clock, connections, new ConnectionCount(), new OnGap());
    turn = new CurrentTurn(context);
    sweep = new ConnectionSweep(turn, connections);
    loop.serve(turn);
  }

  /** The shortest time that a connection may be given, which sets the pace of sweeps. */
  private static long shortestNanos(ServerLimits limits) {
    Duration begin = limits.responseBeginTime();
    Duration[] times = {
      begin.isZero() ? limits.keepAliveTime() : begin,
      limits.handshakeTime(),
      limits.proxyHeaderTime(),
      limits.requestHeadTime(),
      limits.keepAliveTime(),
      limits.lingerTime(),
      limits.requestRateGrace(),
      limits.responseRateGrace()
    };
    return Collections.min(Arrays.asList(times)).toNanos();
  }

  public EventLoop loop() {
    return context.loop;
  }

  /** Returns the listeners, and what they learn of the loop. */
  public LoopRecord record() {
    return context.record;
  }

  /**
   * Returns the number of connections, callable from any thread. One that is reserved has to be
   * opened by {@link #openReserved} or {@link #openShed}, or released.
   */
  public ConnectionCount count() {
    return context.count;
  }

  /** Returns the number of open connections; callable from any thread. */
  public int size() {
    return connections.size();
  }

  /**
   * Returns the connection at an index, 0 to {@link #size} - 1; indices change when connections
   * close.
   */
  public Connection get(int index) {
    return connections.get(index);
  }

  // ---- the life of a connection ----

  /** Takes a connection over; closes it if that fails. */
  public Connection open(StreamSocket socket, Protocol spoken) throws IOException {
    context.count.reserve();
    return openReserved(socket, spoken);
  }

  /**
   * Takes over a connection that was counted by {@link ConnectionCount#reserve}; closes it if that
   * fails.
   */
  public Connection openReserved(StreamSocket socket, Protocol spoken) throws IOException {
    return open(socket, spoken, false);
  }

  /**
   * Takes over a connection that was counted by {@link ConnectionCount#countShed}, and has its
   * protocol respond that the server is overloaded. Closes it if that fails.
   *
   * @param connectionsMax the number of connections that the server admits
   */
  public void openShed(StreamSocket socket, Protocol spoken, int connectionsMax)
      throws IOException {
    Connection connection = open(socket, spoken, true);
    try {
      connection.turn(() -> overload(connection, connectionsMax));
    } catch (Throwable failure) {
      connection.close(CloseReason.OVERLOADED);
      throw failure;
    }
  }

  private static void overload(Connection connection, int connectionsMax) {
    if (connection.isOpen()) {
      connection.protocol().onOverload(connection, connectionsMax);
    }
  }

  private Connection open(StreamSocket socket, Protocol spoken, boolean shed) throws IOException {
    Connection connection;
    try {
      connection = new Connection(turn, socket, spoken, shed);
      connections.add(connection);
      sweep.begin();
    } catch (Throwable failure) {
      context.count.release(shed);
      socket.close();
      throw failure;
    }
    connection.open();
    return connection;
  }

  /** Returns what closes connections of this group that are of least use. */
  public SpareConnections spare() {
    return new SpareConnections(turn, connections);
  }

  /** Checks every connection for passed deadlines. */
  public void sweepAll() {
    sweep.sweepAll();
  }

  /** Reports what {@link #close} would cut short. */
  public void forEachUnfinished(Consumer<Unfinished> target) {
    for (int i = 0; i < size(); i++) {
      Connection seen = get(i);
      if (seen.isOpen()) {
        seen.protocol().reportUnfinished(seen, target);
      } else if (seen.closing.isClosing()) {
        target.accept(Unfinished.RESPONSE);
      }
    }
  }

  /** Closes every connection and releases the shared memory, because the loop is ending. */
  public void close(CloseReason reason) {
    while (size() > 0) {
      get(size() - 1).close(reason);
    }
    context.outbound.close();
    context.inbound.close();
  }

  /**
   * Ends the connection in its turn, because bytes of its response are missing. At once, so that it
   * doesn't matter whether the application catches the exception. Not a lambda, to start sooner:
   * see docs/ARCHITECTURE.md.
   */
  private final class OnGap implements Consumer<Throwable> {
    @Override
    public void accept(Throwable cause) {
      Connection incomplete = turn.current();
      if (incomplete != null) {
        boolean freed = cause instanceof RuntimeException; // a buffer, by the application
        incomplete.breakOff(freed ? CloseReason.APPLICATION_FAILED : CloseReason.OVERLOADED);
      }
    }
  }
}
