package dev.peregrine.server;

import dev.peregrine.base.Range;
import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.server.accept.EndpointOptions;
import dev.peregrine.server.accept.HttpChoice;
import java.util.Objects;

/**
 * A TCP port to listen on; made by {@link Endpoint#tcp}. A value out of its range throws {@link
 * IllegalArgumentException}, which names the option.
 */
public final class TcpEndpoint extends Endpoint {
  private static final int PORT_MAX = 0xFFFF;

  private final String host;
  private final int port;
  private final boolean reusePort;

  TcpEndpoint(String host, int port, boolean reusePort, EndpointOptions options) {
    super(options);
    this.host = Objects.requireNonNull(host);
    this.port = Range.check("port", port, 0, PORT_MAX);
    this.reusePort = reusePort;
  }

  /** Returns the name or address of this machine to listen on. */
  public String host() {
    return host;
  }

  /** Returns the port to listen on; 0 takes a free one. */
  public int port() {
    return port;
  }

  /** Returns true if every loop listens for itself (SO_REUSEPORT). */
  public boolean reusePort() {
    return reusePort;
  }

  TcpEndpoint withHost(String name) {
    return new TcpEndpoint(name, port, reusePort, options);
  }

  TcpEndpoint withPort(int number) {
    return new TcpEndpoint(host, number, reusePort, options);
  }

  @Override
  public TcpEndpoint withBacklog(int count) {
    return with(options.withBacklog(count));
  }

  /**
   * Returns this endpoint with or without SO_REUSEPORT, with which every loop listens for itself
   * instead of one loop that accepts for all. Off by default: with it, another process of the same
   * user can listen on the same port unnoticed. Starting fails if the platform doesn't support it.
   */
  public TcpEndpoint withReusePort(boolean on) {
    return new TcpEndpoint(host, port, on, options);
  }

  @Override
  public TcpEndpoint withConnectionsMax(int count) {
    return with(options.withConnectionsMax(count));
  }

  @Override
  public TcpEndpoint withHttp2(boolean on) {
    return with(optionsWithHttp2(on));
  }

  @Override
  public TcpEndpoint withHttp2Only() {
    return with(optionsSpeaking(HttpChoice.HTTP_2));
  }

  @Override
  public TcpEndpoint withTls(Tls tls) {
    return with(optionsBehind(tls));
  }

  @Override
  public TcpEndpoint withProxyProtocol(TrustedPeers peers) {
    return with(optionsBehind(peers));
  }

  @Override
  TcpEndpoint with(EndpointOptions other) {
    return new TcpEndpoint(host, port, reusePort, other);
  }

  @Override
  public String toString() {
    return "host " + host + ", port " + port;
  }
}
