package dev.peregrine.server.transport;

import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.memory.JvmMemory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.jspecify.annotations.Nullable;

/** A way to do socket I/O: the one seam between the server and the operating system. */
public interface Transport {
  /** Short name for logs and options, such as {@code nio}. */
  String name();

  /** Opens the poller of one event loop. */
  Poller openPoller() throws IOException;

  /**
   * Binds a listening socket.
   *
   * @param reusePort several sockets may listen on the same port, and the system spreads
   *     connections over them
   * @throws UnsupportedOperationException if the platform has no such option
   */
  Listener listen(InetSocketAddress address, int backlog, boolean reusePort) throws IOException;

  /**
   * Binds a listening Unix domain socket.
   *
   * @param bound the file to bind it to
   * @param known the address that it is known by, because the file is going to be renamed
   */
  Listener listen(UnixDomainSocketAddress bound, UnixDomainSocketAddress known, int backlog)
      throws IOException;

  /**
   * Returns where the buffers of its event loops come from, unless the application has chosen
   * another source; the JVM's allocator by default.
   */
  default MemorySource memory() {
    return new JvmMemory();
  }

  /**
   * Takes over the descriptor of a socket that listens already, and closes it if that fails.
   *
   * @param known the address that the socket is known by; null for the one that it is bound to
   * @param backlog replaces that of the socket
   * @throws UnsupportedOperationException if this transport doesn't use descriptors
   */
  default Listener adopt(int descriptor, @Nullable SocketAddress known, int backlog)
      throws IOException {
    throw new UnsupportedOperationException("the transport " + name() + " uses no descriptors");
  }
}
