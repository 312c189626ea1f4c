package dev.peregrine.server;

import dev.peregrine.base.Log;
import dev.peregrine.linux.Linux;
import dev.peregrine.server.transport.Transport;
import dev.peregrine.server.transport.epoll.EpollTransport;
import dev.peregrine.server.transport.nio.NioTransport;
import java.lang.System.Logger.Level;

/** Chooses the transport of a server, and logs it. */
final class Transports {

  private Transports() {}

  /**
   * Returns the kind to begin with: the requested one, or the choice of {@link TransportKind#AUTO}.
   * That is {@code NIO} if the server can move to epoll when it runs.
   */
  static TransportKind resolve(HttpServerBuilder options) {
    TransportKind asked = options.transport();
    if (asked != TransportKind.AUTO) {
      return asked;
    }
    if (!Linux.isLinked() && TransportMove.isPossible(options)) {
      return TransportKind.NIO;
    }
    return TransportKind.epollProblem() == null ? TransportKind.EPOLL : TransportKind.NIO;
  }

  /**
   * Opens a transport of a kind that {@link #resolve} has returned.
   *
   * @throws UnsupportedOperationException if it can't be used here
   */
  static Transport open(TransportKind kind) {
    if (kind == TransportKind.NIO) {
      Linux.postponeLink();
    }
    return kind == TransportKind.EPOLL ? EpollTransport.open() : new NioTransport();
  }

  /**
   * Checks that the transport uses descriptors if an option needs that.
   *
   * @throws UnsupportedOperationException that says what is missing
   */
  static void checkDescriptors(TransportKind kind, HttpServerBuilder options) {
    boolean inherits = false;
    for (Endpoint endpoint : options.endpoints()) {
      inherits |= endpoint instanceof InheritedEndpoint;
    }
    if (kind == TransportKind.EPOLL || (!inherits && options.handOver() == null)) {
      return;
    }
    String problem = TransportKind.epollProblem();
    throw new UnsupportedOperationException(
        (inherits ? "an inherited socket" : "handOver")
            + " needs the epoll transport, but "
            + (problem == null ? "the transport is set to " + kind : problem));
  }

  /** Logs in one line which transport is used if a faster one exists, and why that isn't used. */
  static void logProblem(Transport transport, HttpServerBuilder options) {
    String problem =
        options.transport() != TransportKind.AUTO || TransportMove.isPossible(options)
            ? null
            : TransportKind.epollProblem();
    if (problem != null) {
      Log.add(
          Level.INFO, "transport: " + transport.name() + "; epoll would be faster, but " + problem);
    }
  }
}
