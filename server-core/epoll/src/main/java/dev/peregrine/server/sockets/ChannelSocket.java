package dev.peregrine.server.sockets;

import dev.peregrine.server.transport.SocketWatch;
import dev.peregrine.server.transport.nio.NioWatch;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import org.jspecify.annotations.Nullable;

/** A socket by a channel, which loops on {@code java.nio} watch. */
final class ChannelSocket implements ClientSocket {
  private static final Kept<ByteBuffer> KEPT = new Kept<>();

  private final SocketChannel channel;
  private boolean connecting; // of the thread that connects
  private @Nullable InputStream blocking; // knows how many bytes are available

  private ChannelSocket(SocketChannel channel) {
    this.channel = channel;
  }

  static ChannelSocket open() throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      var ignored = channel.configureBlocking(false);
      return new ChannelSocket(channel);
    } catch (Throwable failure) {
      channel.close();
      throw failure;
    }
  }

  private static ByteBuffer borrow() {
    ByteBuffer kept = KEPT.take();
    return kept != null ? kept.clear() : ByteBuffer.allocateDirect(BYTES_MAX + 1);
  }

  @Override
  public Loops loops() {
    return Loops.NIO;
  }

  @Override
  public SocketWatch watch(SocketWatch.Listener listener) {
    return new NioWatch(channel, listener);
  }

  @Override
  public boolean connect(InetSocketAddress remote) throws IOException {
    try {
      if (connecting) {
        return channel.finishConnect();
      }
      connecting = true;
      return channel.connect(remote);
    } catch (IOException failure) {
      throw SocketFailures.of(failure);
    } catch (UnsupportedAddressTypeException other) {
      throw unsupported(other);
    }
  }

  @Override
  public void bind(InetSocketAddress local) throws IOException {
    try {
      var ignored = channel.bind(local);
    } catch (IOException failure) {
      throw SocketFailures.of(failure);
    } catch (UnsupportedAddressTypeException other) {
      throw unsupported(other);
    }
  }

  private static SocketException unsupported(UnsupportedAddressTypeException cause) {
    SocketException failure = new SocketException("Address family not supported by protocol");
    var ignored = failure.initCause(cause);
    return failure;
  }

  @Override
  public InetSocketAddress localAddress() throws IOException {
    InetSocketAddress local = (InetSocketAddress) channel.getLocalAddress();
    return local != null ? local : new InetSocketAddress(0);
  }

  @Override
  public int receive(byte[] target, int offset, int length, byte[] beyond) throws IOException {
    ByteBuffer memory = borrow();
    try {
      int most = Math.min(length, BYTES_MAX);
      int n = channel.read(memory.limit(most + 1));
      if (n > 0) {
        ByteBuffer ignored = memory.get(0, target, offset, Math.min(n, most));
        if (n > most) {
          beyond[0] = memory.get(most);
        }
      }
      return n;
    } catch (IOException failure) {
      throw SocketFailures.of(failure);
    } finally {
      KEPT.give(memory);
    }
  }

  @Override
  public int send(byte[] source, int offset, int length) throws IOException {
    ByteBuffer memory = borrow();
    try {
      return channel.write(memory.put(source, offset, Math.min(length, BYTES_MAX)).flip());
    } catch (ClosedChannelException afterShutdown) {
      throw new SocketException("Broken pipe");
    } catch (IOException failure) {
      throw SocketFailures.of(failure);
    } finally {
      KEPT.give(memory);
    }
  }

  /** Asks the channel's own socket, because the channel has no such method. */
  @Override
  public synchronized int available() throws IOException {
    InputStream asked = blocking;
    if (asked == null) {
      asked = channel.socket().getInputStream();
      blocking = asked;
    }
    return asked.available();
  }

  @Override
  public void shutdownInput() throws IOException {
    var ignored = channel.shutdownInput();
  }

  @Override
  public void shutdownOutput() throws IOException {
    var ignored = channel.shutdownOutput();
  }

  @Override
  public void set(IntOption option, int value) throws SocketException {
    try {
      option.set(channel, value);
    } catch (IOException failure) {
      throw SocketFailures.of(failure);
    }
  }

  @Override
  public Object get(IntOption option) throws SocketException {
    try {
      return option.get(channel);
    } catch (IOException failure) {
      throw SocketFailures.of(failure);
    }
  }

  @Override
  public boolean polls() {
    return false;
  }

  @Override
  public void poll(boolean toRead, long nanos) {
    throw new UnsupportedOperationException("a channel has no wait of its own");
  }

  @Override
  public boolean isReady(boolean toRead) {
    throw new UnsupportedOperationException("a channel has no wait of its own");
  }

  @Override
  public void endPolls() {}

  @Override
  public boolean isWatched() {
    return channel.isRegistered();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException ignored) {
      // Like that of the JDK's sockets, it is closed anyway.
    }
  }
}
