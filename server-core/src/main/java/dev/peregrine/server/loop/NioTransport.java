package dev.peregrine.server.loop;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;

/** Socket I/O by {@code java.nio}: works everywhere. */
public final class NioTransport implements Transport {
  @Override
  public String name() {
    return "nio";
  }

  @Override
  public Poller openPoller(Runnable afterWait) throws IOException {
    return new NioPoller(Selector.open(), afterWait);
  }

  @Override
  public Listener listen(InetSocketAddress address, int backlog, boolean reusePort)
      throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      if (reusePort) {
        channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
      }
      channel.bind(address, backlog);
      channel.configureBlocking(false);
      return new NioListener(channel);
    } catch (Throwable failure) {
      channel.close();
      throw failure;
    }
  }
}
