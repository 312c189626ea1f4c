package dev.peregrine.server.transport;

import java.io.IOException;
import java.net.SocketAddress;

/**
 * Takes over TCP sockets of this process that another transport has opened. Each method returns a
 * second descriptor for the same socket, so that the first one has to be closed.
 */
public interface Adoption {
  /**
   * Takes over a connection.
   *
   * @throws IOException if the system doesn't know it (any more)
   */
  StreamSocket socket(SocketAddress local, SocketAddress remote) throws IOException;

  /**
   * Takes over a listening socket, the only one of this process with that address.
   *
   * @throws IOException if there is none
   */
  Listener listener(SocketAddress local) throws IOException;
}
