package dev.peregrine.server.accept;

import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.StreamSocket;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A listening Unix domain socket. Its file is deleted before it stops listening, unless the socket
 * is shared.
 */
public final class UnixListener implements Listener {
  private final Listener socket;
  private final PublishedSocket file;

  private UnixListener(Listener socket, PublishedSocket file) {
    this.socket = socket;
    this.file = file;
  }

  /**
   * Binds a socket; clients can connect on return.
   *
   * @param permissions of its file, as {@code ls} prints them
   */
  public static UnixListener open(Transport transport, Path path, String permissions, int backlog)
      throws IOException {
    UnixSocketFile file = new UnixSocketFile(path);
    Listener socket = null;
    try {
      socket = transport.listen(file.bindAddress(), file.address(), backlog);
      return new UnixListener(socket, file.publish(permissions));
    } catch (Throwable failure) {
      if (socket != null) {
        socket.close();
      }
      file.discard();
      throw failure;
    }
  }

  /** Takes over a socket whose file is at a path. */
  public static Listener adopt(Transport transport, Path path, int descriptor, int backlog)
      throws IOException {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(path);
    Listener socket = transport.adopt(descriptor, address, backlog);
    try {
      return new UnixListener(socket, PublishedSocket.at(path));
    } catch (IOException gone) {
      return socket; // no client can connect any more, as with the other process
    }
  }

  @Override
  public void attach(Poller poller, ReadyHandler handler) throws IOException {
    socket.attach(poller, handler);
  }

  @Override
  public @Nullable StreamSocket accept() throws IOException {
    return socket.accept();
  }

  @Override
  public void listening(boolean on) {
    socket.listening(on);
  }

  /**
   * Deletes the file first, so that no client can connect any more; earlier connections wait to be
   * accepted.
   */
  @Override
  public long stopListening() {
    file.delete();
    return socket.stopListening();
  }

  @Override
  public SocketAddress localAddress() {
    return socket.localAddress();
  }

  @Override
  public void setShared(boolean on) {
    socket.setShared(on);
  }

  /** Returns true if the file at the path is still that of this socket. */
  public boolean isReachable() {
    return file.isPresent();
  }

  @Override
  public boolean isShared() {
    return socket.isShared();
  }

  @Override
  public int descriptor() {
    return socket.descriptor();
  }

  @Override
  public void close() throws IOException {
    if (!isShared()) {
      file.delete();
    }
    socket.close();
  }
}
