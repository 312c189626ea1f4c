package dev.peregrine.server.connection;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LayeredSocket;
import dev.peregrine.server.loop.StreamSocket;
import java.io.IOException;

/** Something between the sockets of an endpoint and their protocol, such as TLS. */
@FunctionalInterface
public interface SocketLayer {
  /**
   * Wraps a socket that isn't attached yet; most likely in a {@link LayeredSocket}. Called on the
   * loop's thread. If this throws, the caller closes the socket.
   */
  StreamSocket wrap(StreamSocket socket, EventLoop loop) throws IOException;

  /**
   * Returns the layer for the connections of one event loop, which doesn't run yet. By default one
   * instance serves them all.
   */
  default SocketLayer on(EventLoop loop, ServerLimits limits) {
    return this;
  }

  /** Ends what {@link #on} has begun: the loop has no connection any more. */
  default void close() {}
}
