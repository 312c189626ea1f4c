package dev.peregrine.server;

import dev.peregrine.base.Range;
import java.util.Objects;

/**
 * A TCP port to listen on; made by {@link Endpoint#tcp}. What is out of its range throws {@link
 * IllegalArgumentException}, which names it.
 *
 * @param host name or address of this machine; {@code 0.0.0.0} or {@code ::} for all of them
 * @param port 0 to 65535; 0 takes a free one
 * @param backlog connections that the system holds before they are accepted, at least 1
 * @param reusePort whether every loop listens for itself (SO_REUSEPORT)
 */
public record TcpEndpoint(String host, int port, int backlog, boolean reusePort)
    implements Endpoint {
  private static final int PORT_MAX = 0xFFFF;

  /** Checks the values. */
  public TcpEndpoint {
    Objects.requireNonNull(host);
    Range.check("port", port, 0, PORT_MAX);
    Range.check("backlog", backlog, 1, Integer.MAX_VALUE);
  }

  /** Returns this endpoint with another backlog, at least 1; 1024 by default. */
  public TcpEndpoint withBacklog(int count) {
    return new TcpEndpoint(host, port, count, reusePort);
  }

  /**
   * Returns this endpoint with or without SO_REUSEPORT, which has every loop listen for itself
   * instead of one that accepts for all. Off by default: with it, another process of the same user
   * can listen on the same port unnoticed. Starting fails where the platform has no such option.
   */
  public TcpEndpoint withReusePort(boolean on) {
    return new TcpEndpoint(host, port, backlog, on);
  }

  @Override
  public String toString() {
    return "host " + host + ", port " + port;
  }
}
