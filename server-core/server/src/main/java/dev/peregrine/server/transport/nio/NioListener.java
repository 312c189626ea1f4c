package dev.peregrine.server.transport.nio;

import dev.peregrine.server.transport.Adoption;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A {@link ServerSocketChannel}, until another listener takes its place. */
final class NioListener implements Listener, NioHandle {
  private final ServerSocketChannel channel;
  private final SocketAddress localAddress;
  private @Nullable SelectionKey key;
  private @Nullable ReadyHandler handler;
  private @Nullable Listener moved; // has taken the place of the channel

  NioListener(ServerSocketChannel channel, SocketAddress localAddress) {
    this.channel = channel;
    this.localAddress = localAddress;
  }

  @Override
  public void attach(Poller poller, ReadyHandler handler) throws IOException {
    this.handler = handler;
    key = ((NioPoller) poller).register(channel, SelectionKey.OP_ACCEPT, this);
  }

  @Override
  public ReadyHandler handler() {
    return Objects.requireNonNull(handler);
  }

  @Override
  public Listener adopt(Adoption adoption, Poller next) throws IOException {
    Listener adopted = adoption.listener(localAddress);
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
    Listener next = (Listener) adopted;
    next.listening(Objects.requireNonNull(key).interestOps() != 0);
    moved = next;
  }

  @Override
  public void closeMoved() throws IOException {
    channel.close();
  }

  @Override
  public @Nullable StreamSocket accept() throws IOException {
    if (moved != null) {
      return moved.accept();
    }
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
    if (moved != null) {
      moved.listening(on);
    } else if (key != null && key.isValid()) {
      key.interestOps(on ? SelectionKey.OP_ACCEPT : 0);
    }
  }

  /**
   * Deregisters the channel, because a registered one would listen until the select after its
   * close.
   */
  @Override
  public long stopListening() {
    if (moved != null) {
      return moved.stopListening();
    }
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
    if (moved != null) {
      moved.close();
    }
    channel.close();
  }
}
