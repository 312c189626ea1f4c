package dev.peregrine.server;

import dev.peregrine.server.accept.UnixListener;
import dev.peregrine.server.handover.OfferedSocket;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens the listening sockets of endpoints: binds them, or takes those that exist. */
final class ListenerSource {
  private static final String DENIED = "Permission denied"; // of both transports
  private static final String RESERVED_PORT =
      "; a port below 1024 needs the capability CAP_NET_BIND_SERVICE, or a socket from systemd";

  private final Transport transport;
  private final int loops;
  private final @Nullable HandOverLink handOver;

  /**
   * A source for one server.
   *
   * @param loops the number of its event loops
   */
  ListenerSource(Transport transport, int loops, @Nullable HandOverLink handOver) {
    this.transport = transport;
    this.loops = loops;
    this.handOver = handOver;
  }

  /**
   * Opens the listeners of an endpoint, at least one.
   *
   * @param index the place of the endpoint among those of the server
   */
  List<Listener> open(Endpoint endpoint, int index) throws IOException {
    List<Listener> opened = new ArrayList<>();
    try {
      HandOverLink link = handOver;
      if (link != null && link.hasTaken()) {
        take(link, endpoint, index, opened);
      } else {
        create(endpoint, opened);
        if (link != null) {
          boolean keptElsewhere = endpoint instanceof InheritedEndpoint;
          opened.forEach(listener -> link.add(index, endpoint, listener, keptElsewhere));
        }
      }
      return opened;
    } catch (Throwable failure) {
      closeAll(opened, failure);
      throw failure;
    }
  }

  /** Chooses without a switch on patterns, whose first use takes milliseconds of the start. */
  private void create(Endpoint endpoint, List<Listener> opened) throws IOException {
    if (endpoint instanceof TcpEndpoint tcp) {
      bind(tcp, opened);
    } else if (endpoint instanceof UnixEndpoint unix) {
      opened.add(UnixListener.open(transport, unix.path(), unix.permissions(), unix.backlog()));
    } else if (endpoint instanceof InheritedEndpoint inherited) {
      inherit(inherited, opened);
    }
  }

  private void bind(TcpEndpoint endpoint, List<Listener> opened) throws IOException {
    InetSocketAddress bound = resolve(endpoint);
    for (int i = 0; i < (endpoint.reusePort() ? loops : 1); i++) {
      Listener listener = listen(endpoint, bound);
      opened.add(listener);
      bound = (InetSocketAddress) listener.localAddress();
    }
  }

  private Listener listen(TcpEndpoint endpoint, InetSocketAddress address) throws IOException {
    try {
      return transport.listen(address, endpoint.backlog(), endpoint.reusePort());
    } catch (BindException failure) {
      String problem = String.valueOf(failure.getMessage());
      throw problem.contains(DENIED) ? new IOException(problem + RESERVED_PORT, failure) : failure;
    }
  }

  private static InetSocketAddress resolve(TcpEndpoint endpoint) {
    InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("host is unknown: " + endpoint.host());
    }
    return address;
  }

  private void inherit(InheritedEndpoint endpoint, List<Listener> opened) throws IOException {
    for (int descriptor : endpoint.duplicate()) {
      Listener listener = transport.adopt(descriptor, null, endpoint.backlog());
      listener.setShared(true);
      opened.add(listener);
    }
  }

  private void take(HandOverLink link, Endpoint endpoint, int index, List<Listener> opened)
      throws IOException {
    for (OfferedSocket socket : link.take(endpoint)) {
      Listener listener =
          endpoint instanceof UnixEndpoint unix
              ? UnixListener.adopt(transport, unix.path(), socket.descriptor(), unix.backlog())
              : transport.adopt(socket.descriptor(), null, endpoint.backlog());
      listener.setShared(true); // until the other process has left it
      opened.add(listener);
      link.add(index, endpoint, listener, socket.shared());
    }
  }

  private static void closeAll(List<Listener> opened, Throwable failure) {
    for (Listener listener : opened) {
      try {
        listener.close();
      } catch (IOException further) {
        failure.addSuppressed(further);
      }
    }
  }
}
