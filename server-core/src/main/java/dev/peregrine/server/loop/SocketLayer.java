package dev.peregrine.server.loop;

import java.io.IOException;

/**
 * Something between the sockets of an endpoint and their protocol, such as TLS. One instance serves
 * all connections of the endpoint, on all loops.
 */
@FunctionalInterface
public interface SocketLayer {
  /**
   * Wraps a socket that isn't attached yet; most likely in a {@link LayeredSocket}. Called on the
   * loop's thread. If this throws, the caller closes the socket.
   */
  StreamSocket wrap(StreamSocket socket, EventLoop loop) throws IOException;
}
