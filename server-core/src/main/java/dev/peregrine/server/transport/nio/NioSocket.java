package dev.peregrine.server.transport.nio;

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

/** A {@link SocketChannel}, until a socket of another transport takes its place. */
final class NioSocket implements StreamSocket, NioHandle {
  private final SocketChannel channel;
  private final SocketAddress localAddress;
  private final SocketAddress remoteAddress;
  private @Nullable SelectionKey key;
  private @Nullable ReadyHandler handler;
  private @Nullable StreamSocket moved; // has taken the place of the channel

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
      moved = adopt(poller.adoption(), poller);
      channel.close();
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
    StreamSocket next = (StreamSocket) adopted;
    next.interest(Objects.requireNonNull(key).interestOps());
    moved = next;
  }

  @Override
  public void closeMoved() throws IOException {
    channel.close();
  }

  @Override
  public void endNotification() {
    if (moved != null) {
      moved.endNotification();
    }
  }

  @Override
  public void interest(int ops) {
    if (moved != null) {
      moved.interest(ops);
    } else {
      Objects.requireNonNull(key).interestOps(ops & (Ready.READ | Ready.WRITE));
    }
  }

  @Override
  public boolean isWriteForgotten(boolean waits) {
    return moved != null
        ? moved.isWriteForgotten(waits)
        : waits && (Objects.requireNonNull(key).interestOps() & Ready.WRITE) == 0;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return moved != null ? moved.read(target) : channel.read(target);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return moved != null ? moved.write(source) : channel.write(source);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return moved != null
        ? moved.write(sources, offset, length)
        : channel.write(sources, offset, length);
  }

  @Override
  public long sendFile(FileChannel file, long position, long count) throws IOException {
    return moved != null
        ? moved.sendFile(file, position, count)
        : file.transferTo(position, count, channel);
  }

  @Override
  public void shutdownOutput() throws IOException {
    if (moved != null) {
      moved.shutdownOutput();
    } else {
      channel.shutdownOutput();
    }
  }

  @Override
  public long acknowledgedBytes() {
    return moved != null ? moved.acknowledgedBytes() : UNKNOWN;
  }

  @Override
  public long unacknowledgedBytes() {
    return moved != null ? moved.unacknowledgedBytes() : UNKNOWN;
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
    if (moved != null) {
      moved.reset();
      return;
    }
    if (!(localAddress instanceof UnixDomainSocketAddress)) { // a Unix domain socket has no reset
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    }
    channel.close();
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen() || (moved != null && moved.isOpen());
  }

  @Override
  public void close() throws IOException {
    if (moved != null) {
      moved.close();
    }
    channel.close();
  }
}
