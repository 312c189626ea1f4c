package dev.peregrine.server.tls.layer;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.layer.SocketLayer;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.transport.StreamSocket;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Puts TLS in front of the protocol of an endpoint.
 *
 * @param protocols the application protocols that it offers by ALPN, in the server's order
 */
public record TlsLayer(TlsContexts contexts, List<String> protocols) implements SocketLayer {
  /** Copies the list. */
  public TlsLayer {
    protocols = List.copyOf(protocols);
  }

  @Override
  public SocketLayer agreeingOn(UnaryOperator<List<String>> spoken) {
    return new TlsLayer(contexts, spoken.apply(protocols));
  }

  @Override
  public SocketLayer on(EventLoop loop, ServerLimits limits) {
    try {
      return new TlsSockets(loop, contexts, contexts.open(protocols), limits);
    } catch (GeneralSecurityException failure) {
      throw new IllegalArgumentException("TLS can't be set up: " + failure.getMessage(), failure);
    }
  }

  @Override
  public String describe() {
    return "TLS with " + protocols;
  }

  @Override
  public StreamSocket wrap(StreamSocket socket, EventLoop loop) {
    throw new IllegalStateException("each loop has its own");
  }
}
