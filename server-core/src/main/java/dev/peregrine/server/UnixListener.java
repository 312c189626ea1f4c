package dev.peregrine.server;

import dev.peregrine.server.loop.Listener;
import dev.peregrine.server.loop.Poller;
import dev.peregrine.server.loop.ReadyHandler;
import dev.peregrine.server.loop.StreamSocket;
import dev.peregrine.server.loop.Transport;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A listening Unix domain socket. Its file is deleted before it stops listening. */
final class UnixListener implements Listener {
  private final Listener socket;
  private final UnixSocketFile file;

  private UnixListener(Listener socket, UnixSocketFile file) {
    this.socket = socket;
    this.file = file;
  }

  /** Binds a socket; clients can connect on return. */
  static UnixListener open(Transport transport, UnixEndpoint endpoint) throws IOException {
    UnixSocketFile file = new UnixSocketFile(endpoint);
    Listener socket = null;
    try {
      socket = transport.listen(file.bindAddress(), file.address(), endpoint.backlog());
      file.publish();
      return new UnixListener(socket, file);
    } catch (Throwable failure) {
      if (socket != null) {
        socket.close();
      }
      file.discard();
      throw failure;
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
  public void close() throws IOException {
    file.delete();
    socket.close();
  }
}
