package dev.peregrine.server;

import dev.peregrine.base.Range;
import dev.peregrine.server.loop.SocketLayer;
import java.nio.file.Path;

/**
 * A place where a server listens, with the layers in front of the protocol and the protocol itself;
 * see {@link HttpServerBuilder#endpoint}. Immutable.
 *
 * <pre>{@code
 * HttpServer.builder()
 *     .endpoint(Endpoint.tcp("0.0.0.0", 8080))
 *     .endpoint(Endpoint.unix(Path.of("/run/shop/http.sock")).withPermissions("rw-rw----"))
 * }</pre>
 */
public abstract sealed class Endpoint permits TcpEndpoint, UnixEndpoint {
  /** Connections that the system holds by default before they are accepted. */
  public static final int BACKLOG_DEFAULT = 1024;

  final EndpointStack stack;
  private final int backlog;

  Endpoint(int backlog, EndpointStack stack) {
    this.backlog = Range.check("backlog", backlog, 1, Integer.MAX_VALUE);
    this.stack = stack;
  }

  /**
   * Returns an endpoint for a TCP port.
   *
   * @param host name or address of this machine; {@code 0.0.0.0} or {@code ::} for all of them
   * @param port 0 to 65535; 0 takes a free one
   */
  public static TcpEndpoint tcp(String host, int port) {
    return new TcpEndpoint(host, port, BACKLOG_DEFAULT, false, EndpointStack.HTTP);
  }

  /** Returns an endpoint for a Unix domain socket that only this process's user can connect to. */
  public static UnixEndpoint unix(Path path) {
    return new UnixEndpoint(path, "rw-------", BACKLOG_DEFAULT, EndpointStack.HTTP);
  }

  /** Returns the number of connections that the system holds before they are accepted. */
  public final int backlog() {
    return backlog;
  }

  /** Returns this endpoint with another backlog, at least 1; 1024 by default. */
  public abstract Endpoint withBacklog(int count);

  abstract Endpoint withStack(EndpointStack other);

  /** Returns this endpoint with one more layer, next to the protocol. */
  final Endpoint behind(SocketLayer layer) {
    return withStack(stack.behind(layer));
  }

  /** Returns this endpoint with another protocol than HTTP. */
  final Endpoint speaking(ProtocolChoice protocol) {
    return withStack(stack.speaking(protocol));
  }
}
