package dev.peregrine.server;

import java.nio.file.Path;

/**
 * A place where a server listens; see {@link HttpServerBuilder#endpoint}. Immutable.
 *
 * <pre>{@code
 * HttpServer.builder()
 *     .endpoint(Endpoint.tcp("0.0.0.0", 8080))
 *     .endpoint(Endpoint.unix(Path.of("/run/shop/http.sock")).withPermissions("rw-rw----"))
 * }</pre>
 */
public sealed interface Endpoint permits TcpEndpoint, UnixEndpoint {
  /** Connections that the system holds by default before they are accepted. */
  int BACKLOG_DEFAULT = 1024;

  /** Returns the number of connections that the system holds before they are accepted. */
  int backlog();

  /**
   * Returns an endpoint for a TCP port.
   *
   * @param host name or address of this machine; {@code 0.0.0.0} or {@code ::} for all of them
   * @param port 0 to 65535; 0 takes a free one
   */
  static TcpEndpoint tcp(String host, int port) {
    return new TcpEndpoint(host, port, BACKLOG_DEFAULT, false);
  }

  /** Returns an endpoint for a Unix domain socket that only this process's user can connect to. */
  static UnixEndpoint unix(Path path) {
    return new UnixEndpoint(path, "rw-------", BACKLOG_DEFAULT);
  }
}
