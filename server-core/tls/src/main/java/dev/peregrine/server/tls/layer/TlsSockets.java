package dev.peregrine.server.tls.layer;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.layer.SocketLayer;
import dev.peregrine.server.loop.BoundedLog;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;

/** The layer TLS of one endpoint on one event loop: wraps sockets, as many as may shake hands. */
final class TlsSockets implements SocketLayer {
  private final TlsLoop shared;
  private final TlsContexts contexts;
  private final BoundedLog refusals;

  /**
   * Creates the layer.
   *
   * @param current a context of which it is a user until it is closed
   */
  TlsSockets(EventLoop loop, TlsContexts contexts, CurrentContext current, ServerLimits limits) {
    this.shared = new TlsLoop(loop, current, limits);
    this.contexts = contexts;
    this.refusals = new BoundedLog(loop);
  }

  @Override
  public StreamSocket wrap(StreamSocket socket, EventLoop ignored) throws IOException {
    if (!shared.admitsHandshake()) {
      if (refusals.reserve()) {
        refusals.add(
            "closed "
                + TlsLoop.remote(socket)
                + ": more than "
                + shared.handshakesMax
                + " TLS handshakes at a time (handshakesMax)");
      }
      throw new IOException("too many TLS handshakes");
    }
    return new TlsSocket(socket, shared);
  }

  @Override
  public void close() {
    contexts.close(shared.current);
  }
}
