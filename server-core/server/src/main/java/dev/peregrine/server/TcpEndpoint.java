package dev.peregrine.server;

import dev.peregrine.server.accept.EndpointOptions;
import dev.peregrine.server.accept.HttpChoice;
import dev.peregrine.server.accept.TcpSource;
import dev.peregrine.server.config.EndpointLayer;

/**
 * A TCP port to listen on; made by {@link Endpoint#tcp}. A value out of its range throws {@link
 * IllegalArgumentException}, which names the option.
 */
public final class TcpEndpoint extends Endpoint {
  private final TcpSource source;

  TcpEndpoint(TcpSource source) {
    this.source = source;
  }

  @Override
  TcpSource source() {
    return source;
  }

  /** Returns the name or address of this machine to listen on. */
  public String host() {
    return source.host();
  }

  /** Returns the port to listen on; 0 takes a free one. */
  public int port() {
    return source.port();
  }

  /** Returns true if every loop listens for itself (SO_REUSEPORT). */
  public boolean reusePort() {
    return source.reusePort();
  }

  TcpEndpoint withHost(String name) {
    return with(name, port(), reusePort());
  }

  TcpEndpoint withPort(int number) {
    return with(host(), number, reusePort());
  }

  @Override
  public TcpEndpoint withBacklog(int count) {
    return with(options().withBacklog(count));
  }

  /**
   * Returns this endpoint with or without SO_REUSEPORT, with which every loop listens for itself
   * instead of one loop that accepts for all. Off by default: with it, another process of the same
   * user can listen on the same port unnoticed. Starting fails if the platform doesn't support it.
   */
  public TcpEndpoint withReusePort(boolean on) {
    return with(host(), port(), on);
  }

  @Override
  public TcpEndpoint withConnectionsMax(int count) {
    return with(options().withConnectionsMax(count));
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
  public TcpEndpoint with(EndpointLayer layer) {
    return with(optionsBehind(layer));
  }

  @Override
  TcpEndpoint with(EndpointOptions other) {
    return new TcpEndpoint(source.with(other));
  }

  private TcpEndpoint with(String host, int port, boolean reusePort) {
    return new TcpEndpoint(new TcpSource(host, port, reusePort, options()));
  }
}
