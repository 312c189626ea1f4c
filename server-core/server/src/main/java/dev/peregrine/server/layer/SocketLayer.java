package dev.peregrine.server.layer;

import dev.peregrine.server.config.EndpointLayer;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;

/** Something between the sockets of an endpoint and their protocol, such as TLS. */
@FunctionalInterface
public interface SocketLayer extends EndpointLayer {
  /**
   * Wraps a socket that isn't attached yet; most likely in a {@link LayeredSocket}. Called on the
   * loop's thread. If this throws, the caller closes the socket.
   */
  StreamSocket wrap(StreamSocket socket, EventLoop loop) throws IOException;

  /**
   * Returns this layer, limited to the application protocols that an endpoint speaks. By default a
   * layer agrees on none with its clients, and has nothing to limit.
   *
   * @param spoken returns the protocols that the endpoint speaks, of those that the layer offers
   */
  default SocketLayer agreeingOn(UnaryOperator<List<String>> spoken) {
    return this;
  }

  /**
   * Returns the layer for the connections of one event loop, which doesn't run yet. By default one
   * instance serves them all.
   */
  default SocketLayer on(EventLoop loop, ServerLimits limits) {
    return this;
  }

  /** Returns true for a layer next to the network, in front of all others. */
  default boolean isFirst() {
    return false;
  }

  /** Returns a few words for diagnosis. */
  default String describe() {
    return getClass().getSimpleName();
  }

  /** Ends what {@link #on} has begun: the loop has no connection any more. */
  default void close() {}
}
