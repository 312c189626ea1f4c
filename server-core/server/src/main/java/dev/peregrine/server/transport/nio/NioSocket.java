package dev.peregrine.server.transport.nio;

import dev.peregrine.server.transport.AdoptingPoller;
import dev.peregrine.server.transport.Adoption;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.StreamSocket;
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

/**
 * A {@link SocketChannel}. If its loop changes its transport, another socket takes its place at the
 * handler, and of this one only the addresses are used.
 */
final class NioSocket implements StreamSocket, NioHandle {
  private final SocketChannel channel;
  private final SocketAddress localAddress;
  private final SocketAddress remoteAddress;
  private @Nullable SelectionKey key;
  private @Nullable ReadyHandler handler;

  NioSocket(SocketChannel channel, SocketAddress localAddress, SocketAddress remoteAddress) {
    this.channel = channel;
    this.localAddress = localAddress;
    this.remoteAddress = remoteAddress;
  }

  @Override
  public void attach(Poller poller, ReadyHandler handler) throws IOException {
    this.handler = handler;
    if (poller instanceof NioPoller nio) {
      key = nio.register(channel, 0, this);
    } else { // the loop has moved since this connection was accepted
      StreamSocket next = adopt(((AdoptingPoller) poller).adoption(), poller);
      channel.close();
      handler.onMoved(next);
    }
  }

  @Override
  public ReadyHandler handler() {
    return Objects.requireNonNull(handler);
  }

  @Override
  public StreamSocket adopt(Adoption adoption, Poller next) throws IOException {
    StreamSocket adopted = adoption.socket(localAddress, remoteAddress);
    try {
      adopted.attach(next, handler());
      return adopted;
    } catch (Throwable failure) {
      adopted.close();
      throw failure;
    }
  }

  @Override
  public void moveTo(AutoCloseable adopted) {
    handler().onMoved((StreamSocket) adopted);
  }

  @Override
  public void closeMoved() throws IOException {
    channel.close();
  }

  @Override
  public void interest(int ops) {
    key().interestOps(ops & (Ready.READ | Ready.WRITE));
  }

  @Override
  public boolean isWriteForgotten(boolean waits) {
    return waits && (key().interestOps() & Ready.WRITE) == 0;
  }

  private SelectionKey key() {
    return Objects.requireNonNull(key);
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
