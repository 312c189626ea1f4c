package dev.peregrine.server.proxy;

import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.layer.SocketLayer;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.transport.StreamSocket;

/**
 * Requires that each connection of an endpoint begins with a header of the PROXY protocol.
 *
 * @param peers the peers that may connect
 */
record ProxyLayer(TrustedPeers peers) implements SocketLayer {
  @Override
  public boolean isFirst() {
    return true;
  }

  @Override
  public SocketLayer on(EventLoop loop, ServerLimits limits) {
    return new ProxyLoop(peers, loop, limits);
  }

  @Override
  public StreamSocket wrap(StreamSocket socket, EventLoop loop) {
    throw new IllegalStateException("each loop has its own");
  }
}
