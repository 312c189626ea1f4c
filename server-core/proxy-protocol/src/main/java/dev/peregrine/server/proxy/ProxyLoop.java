package dev.peregrine.server.proxy;

import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.layer.LayerFailedException;
import dev.peregrine.server.layer.SocketLayer;
import dev.peregrine.server.loop.BoundedLog;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.net.SocketAddress;

/** The state that the connections of one endpoint share on one event loop. */
final class ProxyLoop implements SocketLayer {
  final EventLoop loop;
  final long headerNanos;
  final int headerBytesMax;
  private final TrustedPeers peers;
  private final BoundedLog untrusted;
  private final BoundedLog invalid;

  ProxyLoop(TrustedPeers peers, EventLoop loop, ServerLimits limits) {
    this.loop = loop;
    this.headerNanos = limits.proxyHeaderTime().toNanos();
    this.headerBytesMax = limits.proxyHeaderBytesMax();
    this.peers = peers;
    this.untrusted = new BoundedLog(loop);
    this.invalid = new BoundedLog(loop);
  }

  @Override
  public StreamSocket wrap(StreamSocket socket, EventLoop ignored) throws IOException {
    return new ProxySocket(socket, this, peers.contains(socket.remoteAddress()));
  }

  /** Returns the exception for a peer that isn't trusted, and logs it. */
  LayerFailedException untrusted(StreamSocket socket) {
    if (untrusted.reserve()) {
      untrusted.add(
          "closed "
              + remote(socket)
              + ", which is not one of the peers that the endpoint trusts with the PROXY protocol: "
              + peers);
    }
    return failure("the peer is not trusted with the PROXY protocol");
  }

  /** Returns the exception for a header that isn't valid or complete, and logs it. */
  LayerFailedException invalid(StreamSocket socket, String why) {
    if (invalid.reserve()) {
      invalid.add("closed " + remote(socket) + ": PROXY protocol header rejected: " + why);
    }
    return failure(why);
  }

  private static LayerFailedException failure(String message) {
    return new LayerFailedException(CloseReason.PROXY_HEADER_REJECTED, message);
  }

  private static String remote(StreamSocket socket) {
    try {
      SocketAddress remote = socket.remoteAddress();
      return remote.equals(StreamSocket.UNNAMED)
          ? "a peer of " + socket.localAddress()
          : remote.toString();
    } catch (IOException closed) {
      return "a closed connection";
    }
  }
}
