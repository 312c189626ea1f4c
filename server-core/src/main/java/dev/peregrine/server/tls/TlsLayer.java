package dev.peregrine.server.tls;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.SocketLayer;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.StreamSocket;
import java.security.GeneralSecurityException;

/** Puts TLS in front of the protocol of an endpoint. */
public record TlsLayer(TlsContexts contexts) implements SocketLayer {
  @Override
  public SocketLayer on(EventLoop loop, ServerLimits limits) {
    try {
      contexts.open();
    } catch (GeneralSecurityException failure) {
      throw new IllegalArgumentException("TLS can't be set up: " + failure.getMessage(), failure);
    }
    return new TlsLoop(loop, contexts, limits);
  }

  @Override
  public StreamSocket wrap(StreamSocket socket, EventLoop loop) {
    throw new IllegalStateException("each loop has its own");
  }
}
