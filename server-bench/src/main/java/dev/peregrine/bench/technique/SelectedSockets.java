package dev.peregrine.bench.technique;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/** Sockets whose readiness a {@link Selector} reports. */
final class SelectedSockets extends Sockets {
  private final Selector selector = Selector.open();
  private final ServerSocketChannel server = ServerSocketChannel.open();
  private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);
  private final Consumer<SelectionKey> read = this::read;

  SelectedSockets() throws IOException {
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @Override
  SocketAddress address() throws IOException {
    return server.getLocalAddress();
  }

  @Override
  void accept() throws IOException {
    SocketChannel accepted = server.accept();
    accepted.configureBlocking(false);
    accepted.register(selector, SelectionKey.OP_READ);
  }

  @Override
  void readReady() throws IOException {
    selector.selectNow(read);
  }

  private void read(SelectionKey key) {
    try {
      if (((SocketChannel) key.channel()).read(in.clear()) > 0) {
        note(in.get(0));
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  void closeServer() throws IOException {
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
    server.close();
  }
}
