package dev.peregrine.server;

import dev.peregrine.http.HttpHandler;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.CloseReason;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.ConnectionGroup;
import dev.peregrine.server.http1.Http1;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.StreamSocket;
import dev.peregrine.server.loop.Transport;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** One event loop with the connections and the protocol that run on it. */
final class Worker {
  private static final Logger LOGGER = System.getLogger("dev.peregrine.server");

  // Arbitrary: more refused clients at a time than that are not even answered.
  private static final int REFUSED_MAX = 256;

  final EventLoop loop;
  final ConnectionGroup connections;
  private final Http1 http1;

  Worker(
      String name,
      Transport transport,
      RequestParser parser,
      HttpHandler handler,
      ServerOptions options)
      throws IOException {
    ServerLimits limits = options.limits();
    loop = new EventLoop(name, transport);
    http1 = new Http1(loop, handler, limits, parser, options.serverName(), options.json());
    connections = new ConnectionGroup(loop, http1, limits);
  }

  /** Takes a connection over; on the loop's thread. */
  void open(StreamSocket socket) {
    try {
      connections.open(socket);
    } catch (IOException failure) {
      LOGGER.log(Level.DEBUG, "a connection was lost before it was opened", failure);
    }
  }

  /** Goes over to another parser; callable from any thread. */
  void parseWith(RequestParser parser) {
    loop.execute(() -> http1.parseWith(parser));
  }

  /** Answers a connection above that limit; on the loop's thread. */
  void refuse(StreamSocket socket, int connectionsMax) {
    try {
      if (http1.refusedConnections() >= REFUSED_MAX) {
        socket.close();
        return;
      }
      Connection connection = connections.open(socket);
      connection.execute(() -> http1.refuse(connection, connectionsMax));
    } catch (IOException failure) {
      LOGGER.log(Level.DEBUG, "a connection was lost before it was refused", failure);
    }
  }

  /** Closes a connection that no loop has taken. */
  static void drop(StreamSocket socket) {
    try {
      socket.close();
    } catch (IOException failure) {
      LOGGER.log(Level.DEBUG, "closing a connection that came too late", failure);
    }
  }

  /** Open connections that count against the limit; any thread may ask. */
  int admitted() {
    return connections.size() - http1.refusedConnections();
  }

  /** Lets every connection end with what it is doing; on the loop's thread. */
  void drain() {
    http1.drain();
    for (int i = connections.size() - 1; i >= 0; i--) {
      Connection connection = connections.get(i);
      if (isIdle(connection)) {
        connection.execute(() -> endIfIdle(connection));
      }
    }
  }

  private void endIfIdle(Connection connection) {
    if (isIdle(connection)) {
      connection.closeAfterFlush(CloseReason.SHUTDOWN);
    }
  }

  /** Whether the connection waits for a request, and not for anything after HTTP. */
  private boolean isIdle(Connection connection) {
    return connection.isOpen()
        && connection.attachment() == null
        && connection.protocol().equals(http1);
  }

  /** Ends the loop and closes what is left; callable from any thread. */
  void stop() {
    loop.stop(() -> connections.close(CloseReason.SHUTDOWN));
  }

  /** Releases what a loop that never ran has acquired. */
  void abandon() {
    connections.close(CloseReason.SHUTDOWN);
    loop.abandon();
  }
}
