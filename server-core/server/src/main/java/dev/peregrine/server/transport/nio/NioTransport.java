package dev.peregrine.server.transport.nio;

import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.memory.JvmMemory;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;

/** Socket I/O by {@code java.nio}: works everywhere. */
public final class NioTransport implements Transport {
  private final MemorySource memory;

  /** A transport with memory of the JVM's allocator. */
  public NioTransport() {
    this(new JvmMemory());
  }

  /** A transport with other memory. */
  public NioTransport(MemorySource memory) {
    this.memory = memory;
  }

  @Override
  public MemorySource memory() {
    return memory;
  }

  @Override
  public String name() {
    return "nio";
  }

  @Override
  public Poller openPoller() throws IOException {
    return new NioPoller(Selector.open());
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
      return new NioListener(channel, channel.getLocalAddress());
    } catch (Throwable failure) {
      channel.close();
      throw failure;
    }
  }

  @Override
  public Listener listen(UnixDomainSocketAddress bound, UnixDomainSocketAddress known, int backlog)
      throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.bind(bound, backlog);
      channel.configureBlocking(false);
      return new NioListener(channel, known);
    } catch (Throwable failure) {
      channel.close();
      throw failure;
    }
  }
}
