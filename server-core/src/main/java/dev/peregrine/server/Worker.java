package dev.peregrine.server;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.http.Handler;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.CloseReason;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.ConnectionGroup;
import dev.peregrine.server.exchange.ExchangeContext;
import dev.peregrine.server.http1.Http1;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopTimer;
import dev.peregrine.server.loop.StreamSocket;
import dev.peregrine.server.loop.Transport;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One event loop with the connections and the protocol that run on it. */
final class Worker {
  // Arbitrary: more refused clients at a time than that are not even answered.
  private static final int REFUSED_MAX = 256;

  private static final long DRAIN_SWEEP_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long DRAIN_SWEEP_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(50);

  final EventLoop loop;
  final ConnectionGroup connections;
  private final Http1 http1;
  private final LoopTimer drainSweeps;
  private long drainSweepNanos;
  private final List<Acceptor> acceptors = new ArrayList<>();

  Worker(
      String name,
      Transport transport,
      RequestParser parser,
      Handler handler,
      HttpServerBuilder options)
      throws IOException {
    ServerLimits limits = options.limits();
    loop = new EventLoop(name, transport);
    http1 =
        new Http1(
            new ExchangeContext(
                loop, handler, limits, options.json(), options.errors(), options.reusesExchanges()),
            parser,
            options.serverName());
    connections = new ConnectionGroup(loop, http1, limits);
    drainSweeps = loop.timer(this::sweepDraining);
    loop.describeBy(connections::describe);
  }

  /** Accepts connections on this loop, before it runs. */
  void accept(Acceptor opened) throws IOException {
    acceptors.add(opened);
    opened.open();
  }

  /** Takes over a connection that was counted before; on the loop's thread. */
  void open(StreamSocket socket) {
    try {
      connections.openReserved(socket);
    } catch (IOException failure) {
      Log.add(Level.DEBUG, Incident.LOST_BEFORE_OPEN, failure);
    }
  }

  /** Goes over to another parser; callable from any thread. */
  void parseWith(RequestParser parser) {
    loop.execute(() -> http1.parseWith(parser));
  }

  /** Counts a connection that this worker is to refuse; callable from any thread. */
  void reserveRefusal() {
    http1.reserveRefusal();
  }

  /** Answers a connection above that limit, counted before; on the loop's thread. */
  void refuse(StreamSocket socket, int connectionsMax) {
    if (http1.refusedConnections() > REFUSED_MAX) {
      discardRefused(socket);
      return;
    }
    Connection connection;
    try {
      connection = connections.openReserved(socket);
    } catch (IOException failure) {
      http1.releaseRefusal();
      Log.add(Level.DEBUG, Incident.LOST_BEFORE_REFUSAL, failure);
      return;
    } catch (Throwable failure) {
      http1.releaseRefusal();
      throw failure;
    }
    try {
      connection.execute(() -> http1.refuse(connection, connectionsMax));
    } catch (Throwable failure) {
      http1.releaseRefusal();
      connection.close(CloseReason.OVERLOADED);
      throw failure;
    }
  }

  /** Closes a connection to be refused, without an answer; on any thread. */
  void discardRefused(StreamSocket socket) {
    http1.releaseRefusal();
    discard(socket);
  }

  /** Closes a connection that was counted for this loop but isn't taken; on any thread. */
  void discard(StreamSocket socket) {
    connections.release();
    try {
      socket.close();
    } catch (Throwable failure) {
      Log.add(Level.DEBUG, Incident.UNTAKEN_CLOSE_FAILED, failure);
    }
  }

  /** Returns the number of connections that count against the limit; callable from any thread. */
  int admitted() {
    return connections.reserved() - http1.refusedConnections();
  }

  /**
   * Lets every connection end with what it is doing; on the loop's thread.
   *
   * @param idleNanos how long a connection without a request waits for one
   */
  void drain(long idleNanos) {
    http1.drain(idleNanos);
    for (int i = connections.size() - 1; i >= 0; i--) {
      Connection connection = connections.get(i);
      if (connection.isOpen()) {
        connection.protocol().onShutdown(connection);
      }
    }
    drainSweepNanos = Math.clamp(idleNanos / 8, DRAIN_SWEEP_NANOS_MIN, DRAIN_SWEEP_NANOS_MAX);
    drainSweeps.start(drainSweepNanos);
  }

  /** Ends idle connections soon after their time: the group's own sweeps are less frequent. */
  private void sweepDraining() {
    drainSweeps.start(drainSweepNanos); // first: it comes whatever happens here
    connections.sweepAll();
  }

  /**
   * Ends the loop and closes what is left; callable from any thread.
   *
   * @param cut where that is counted
   */
  void stop(CutShort cut) {
    loop.stop(() -> end(cut));
  }

  private void end(CutShort cut) {
    try {
      acceptors.forEach(Acceptor::close);
      connections.forEachUnfinished(cut::add);
    } finally {
      connections.close(CloseReason.SHUTDOWN);
    }
  }

  /** Releases what a loop that never ran has acquired. */
  void abandon() {
    acceptors.forEach(Acceptor::close);
    connections.close(CloseReason.SHUTDOWN);
    loop.abandon();
  }
}
