package dev.peregrine.server.loop;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A {@link ServerSocketChannel}. */
final class NioListener implements Listener {
  private final ServerSocketChannel channel;
  private final SocketAddress localAddress;
  private @Nullable SelectionKey key;

  NioListener(ServerSocketChannel channel, SocketAddress localAddress) {
    this.channel = channel;
    this.localAddress = localAddress;
  }

  @Override
  public void attach(Poller poller, ReadyHandler handler) throws IOException {
    key = ((NioPoller) poller).register(channel, SelectionKey.OP_ACCEPT, handler);
  }

  @Override
  public @Nullable StreamSocket accept() throws IOException {
    SocketChannel accepted = channel.accept();
    if (accepted == null) {
      return null;
    }
    try {
      accepted.configureBlocking(false);
      if (localAddress instanceof UnixDomainSocketAddress) {
        return new NioSocket(accepted, localAddress, StreamSocket.UNNAMED);
      }
      accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
      return new NioSocket(accepted, accepted.getLocalAddress(), accepted.getRemoteAddress());
    } catch (Throwable failure) {
      accepted.close();
      throw failure;
    }
  }

  @Override
  public void listening(boolean on) {
    if (key != null && key.isValid()) {
      key.interestOps(on ? SelectionKey.OP_ACCEPT : 0);
    }
  }

  /**
   * Deregisters the channel, because a registered one would listen until the select after its
   * close.
   */
  @Override
  public long stopListening() {
    if (key != null) {
      key.cancel();
    }
    return 0;
  }

  @Override
  public SocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
