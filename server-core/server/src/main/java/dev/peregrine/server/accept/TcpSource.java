package dev.peregrine.server.accept;

import dev.peregrine.base.Range;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;

/**
 * A TCP port that the server binds.
 *
 * @param host name or address of this machine
 * @param port 0 to 65535; 0 takes a free one
 * @param reusePort whether every loop listens for itself (SO_REUSEPORT)
 */
public record TcpSource(String host, int port, boolean reusePort, EndpointOptions options)
    implements ListenerSource {
  private static final int PORT_MAX = 0xFFFF;
  private static final String DENIED = "Permission denied"; // of both transports
  private static final String RESERVED_PORT =
      "; a port below 1024 needs the capability CAP_NET_BIND_SERVICE, or a socket from systemd";

  /** Checks the values. */
  public TcpSource {
    Objects.requireNonNull(host);
    Range.check("port", port, 0, PORT_MAX);
  }

  @Override
  public TcpSource with(EndpointOptions other) {
    return new TcpSource(host, port, reusePort, other);
  }

  @Override
  public void open(Transport transport, int loops, List<Listener> opened) throws IOException {
    InetSocketAddress bound = resolve();
    for (int i = 0; i < (reusePort ? loops : 1); i++) {
      Listener listener = listen(transport, bound);
      opened.add(listener);
      bound = (InetSocketAddress) listener.localAddress();
    }
  }

  private Listener listen(Transport transport, InetSocketAddress address) throws IOException {
    try {
      return transport.listen(address, options.backlog(), reusePort);
    } catch (BindException failure) {
      String problem = String.valueOf(failure.getMessage());
      throw problem.contains(DENIED) ? new IOException(problem + RESERVED_PORT, failure) : failure;
    }
  }

  private InetSocketAddress resolve() {
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("host is unknown: " + host);
    }
    return address;
  }

  @Override
  public boolean isPerLoop() {
    return reusePort;
  }

  @Override
  public boolean isIdentifiedByAddress() {
    return !reusePort;
  }

  @Override
  public String toString() {
    return "host " + host + ", port " + port;
  }
}
