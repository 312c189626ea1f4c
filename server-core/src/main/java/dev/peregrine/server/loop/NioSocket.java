package dev.peregrine.server.loop;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A {@link SocketChannel}. */
final class NioSocket implements StreamSocket {
  private final SocketChannel channel;
  private final SocketAddress localAddress;
  private final SocketAddress remoteAddress;
  private @Nullable SelectionKey key;

  NioSocket(SocketChannel channel, SocketAddress localAddress, SocketAddress remoteAddress) {
    this.channel = channel;
    this.localAddress = localAddress;
    this.remoteAddress = remoteAddress;
  }

  @Override
  public void attach(Poller poller, ReadyHandler handler) throws IOException {
    key = ((NioPoller) poller).register(channel, 0, handler);
  }

  @Override
  public void interest(int ops) {
    Objects.requireNonNull(key).interestOps(ops & (Ready.READ | Ready.WRITE));
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return channel.read(target);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return channel.write(source);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return channel.write(sources, offset, length);
  }

  @Override
  public long sendFile(FileChannel file, long position, long count) throws IOException {
    return file.transferTo(position, count, channel);
  }

  @Override
  public void shutdownOutput() throws IOException {
    channel.shutdownOutput();
  }

  @Override
  public SocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public SocketAddress remoteAddress() {
    return remoteAddress;
  }

  @Override
  public void reset() throws IOException {
    if (!(localAddress instanceof UnixDomainSocketAddress)) { // a Unix domain socket has no reset
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    }
    channel.close();
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
