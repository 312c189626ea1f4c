package dev.peregrine.server.accept;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.ConnectionGroup;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.connection.SpareConnections;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopTimer;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.transport.StreamSocket;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** An event loop with its connections and their protocols. */
public final class Worker {
  // Connections of a loop that get a 503 at a time; further ones are closed at once, to bound
  // memory.
  private static final int SHED_MAX = 256;

  /** The part of the descriptors' reserve that they may take, and no files. */
  static final int SHED_PART = 2;

  private static final long DRAIN_SWEEP_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long DRAIN_SWEEP_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(50);

  public final EventLoop loop;
  public final ConnectionGroup connections;
  private final SpareConnections spare;
  private final List<EndpointStack> stacks = new ArrayList<>(); // one for each endpoint
  private final List<Protocol> protocols = new ArrayList<>(); // one for each endpoint
  private final LoopTimer drainSweeps;
  private long drainSweepNanos;
  private final List<Acceptor> acceptors = new ArrayList<>();
  private volatile boolean lameDuckDue; // set before others can see that the server ends
  private boolean lameDuck;
  private volatile int shedMax = SHED_MAX;

  /**
   * A worker whose loop doesn't run yet.
   *
   * @param memory where its buffers come from
   * @param http creates the HTTP protocol of a loop
   * @param endpoints the endpoints that its connections are accepted on
   */
  public Worker(
      String name,
      Transport transport,
      MemorySource memory,
      ServerLimits limits,
      Function<EventLoop, Protocol> http,
      List<EndpointOptions> endpoints)
      throws IOException {
    loop = new EventLoop(name, transport, memory);
    Protocol protocol = http.apply(loop);
    try {
      for (EndpointOptions endpoint : endpoints) {
        EndpointStack stack = endpoint.stack();
        protocols.add(stack.protocol().on(loop, protocol));
        stacks.add(stack.on(loop, limits));
      }
    } catch (Throwable failure) {
      for (EndpointStack opened : stacks) { // a lambda would take memory
        opened.close();
      }
      loop.abandon();
      throw failure;
    }
    connections = new ConnectionGroup(loop, limits);
    spare = connections.spare();
    drainSweeps = loop.timer(new DrainSweep());
  }

  /** Accepts connections on this loop, before it runs. */
  public void accept(Acceptor opened) throws IOException {
    acceptors.add(opened);
    opened.open();
  }

  /**
   * Bounds the connections that get a 503 by the descriptors that are left for them; on any thread.
   */
  void limitShed(int reserve, int workers) {
    shedMax = Math.clamp(reserve / SHED_PART / workers, 1, SHED_MAX);
  }

  /**
   * Closes a connection that can be spared; on the loop's thread, outside of turns. Returns false
   * if there is none.
   *
   * @param admitted whether it must be one that counts for the limit
   */
  boolean makeRoom(boolean admitted) {
    return (!admitted && spare.closeOne(true)) || spare.closeOne(false);
  }

  /**
   * Takes over a connection that was counted before; on the loop's thread.
   *
   * @param endpoint the index of the endpoint that has accepted it
   */
  public void open(int endpoint, StreamSocket socket) {
    if (lameDuckDue) {
      beginLameDuck();
    }
    try {
      connections.openReserved(wrap(endpoint, socket, false), protocols.get(endpoint));
    } catch (IOException failure) {
      Log.add(Level.DEBUG, Incident.LOST_BEFORE_OPEN, failure);
    } catch (RuntimeException failure) { // of a layer, say: others can still be accepted
      loop.report(Incident.LOST_BEFORE_OPEN, failure);
    }
  }

  /**
   * Has the protocol answer a connection above the limit, which was counted as shed before. On the
   * loop's thread.
   */
  void shed(int endpoint, StreamSocket socket, int connectionsMax) {
    if (connections.count().shed() > shedMax && !spare.closeOne(true)) {
      discard(socket, true);
      return;
    }
    try {
      StreamSocket outermost = wrap(endpoint, socket, true);
      connections.openShed(outermost, protocols.get(endpoint), connectionsMax);
    } catch (IOException failure) {
      Log.add(Level.DEBUG, Incident.LOST_BEFORE_REFUSAL, failure);
    } catch (RuntimeException failure) {
      loop.report(Incident.LOST_BEFORE_REFUSAL, failure);
    }
  }

  /**
   * Puts the layers of an endpoint around a socket. If that fails, the connection isn't counted any
   * more.
   */
  private StreamSocket wrap(int endpoint, StreamSocket socket, boolean shed) throws IOException {
    try {
      return stacks.get(endpoint).wrap(socket, loop);
    } catch (Throwable failure) {
      connections.count().release(shed);
      throw failure;
    }
  }

  /** Closes a connection that was counted for this loop but isn't taken; on any thread. */
  public void discard(StreamSocket socket, boolean shed) {
    connections.count().release(shed);
    close(socket);
  }

  private static void close(StreamSocket socket) {
    try {
      socket.close();
    } catch (Throwable failure) {
      Log.add(Level.DEBUG, Incident.UNTAKEN_CLOSE_FAILED, failure);
    }
  }

  /**
   * Declares that the server is going to end: {@link #beginLameDuck} precedes the next connection
   * that is opened. Callable from any thread.
   */
  public void lameDuckDue() {
    lameDuckDue = true;
  }

  /**
   * Has the peers of every connection move to other ones; on the loop's thread. Only the first call
   * has an effect. It precedes the next connection, whose client may know that the server ends: it
   * would have to move at once, before its first request.
   */
  public void beginLameDuck() {
    if (lameDuck) {
      return;
    }
    lameDuck = true;
    try {
      Set.copyOf(protocols).forEach(Protocol::onLameDuck);
      forEachOpen((protocol, connection) -> protocol.onLameDuck(connection));
    } catch (Throwable failure) {
      loop.report(Incident.TASK_FAILED, failure);
    }
  }

  /**
   * Lets every connection end after its present exchange; on the loop's thread.
   *
   * @param idleNanos how long a connection without a request waits for one
   */
  public void drain(long idleNanos) {
    Set.copyOf(protocols).forEach(protocol -> protocol.onDrain(idleNanos));
    forEachOpen((protocol, connection) -> protocol.onShutdown(connection));
    drainSweepNanos = Math.clamp(idleNanos / 8, DRAIN_SWEEP_NANOS_MIN, DRAIN_SWEEP_NANOS_MAX);
    drainSweeps.start(drainSweepNanos);
  }

  private void forEachOpen(BiConsumer<Protocol, Connection> action) {
    for (int i = connections.size() - 1; i >= 0; i--) {
      Connection connection = connections.get(i);
      if (connection.isOpen()) {
        action.accept(connection.protocol(), connection);
      }
    }
  }

  /**
   * Ends idle connections soon after their time: the group's own sweeps are less frequent. Not a
   * lambda, to start sooner.
   */
  private final class DrainSweep implements Runnable {
    @Override
    public void run() {
      drainSweeps.start(drainSweepNanos); // first, in case that a sweep throws
      connections.sweepAll();
    }
  }

  /**
   * Ends the loop and closes its open connections; callable from any thread.
   *
   * @param cut counts the work that this cuts short
   */
  public void stop(CutShort cut) {
    loop.stop(() -> end(cut));
  }

  private void end(CutShort cut) {
    try {
      acceptors.forEach(Acceptor::close);
      connections.forEachUnfinished(cut::add);
    } finally {
      closeAll();
    }
  }

  private void closeAll() {
    connections.close(CloseReason.SHUTDOWN);
    stacks.forEach(EndpointStack::close);
  }

  /** Releases the resources of a loop that never ran. */
  public void abandon() {
    acceptors.forEach(Acceptor::close);
    closeAll();
    loop.abandon();
  }
}
