package dev.peregrine.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLSocket;

/**
 * A port for clients that don't speak TLS: it passes their bytes to a server over TLS, and the
 * server's bytes to them. An end of a stream stays an end, and a failure becomes a reset.
 */
public final class TlsTunnel implements AutoCloseable {
  private static final int BACKLOG = 1000;
  private static final int BUFFER_BYTES = 64 * 1024;

  private final InetSocketAddress server;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  public TlsTunnel(InetSocketAddress server) {
    this.server = server;
    try {
      listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    // Not virtual: a socket whose poller sleeps in epoll_wait can stay open after its close.
    Thread ignored = Thread.ofPlatform().daemon().start(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        open.add(client);
        Thread ignored = Thread.ofPlatform().daemon().start(() -> serve(client));
      } catch (IOException closed) {
        // by close()
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket network = new Socket()) {
      try {
        client.setTcpNoDelay(true);
        network.setTcpNoDelay(true);
        network.connect(server);
        SSLSocket secured =
            (SSLSocket)
                Certificates.client()
                    .getSocketFactory()
                    .createSocket(network, "localhost", server.getPort(), true);
        Thread up = Thread.ofPlatform().daemon().start(() -> pass(client, secured));
        pass(secured, client);
        up.join();
      } catch (IOException failed) {
        client.setSoLinger(true, 0);
      }
    } catch (IOException | InterruptedException ended) {
      // the connection has ended anyway
    } finally {
      open.remove(client);
    }
  }

  /** Passes bytes until their end, which is passed too. */
  private static void pass(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER_BYTES];
    boolean taken = true; // otherwise bytes are read and dropped, so that the other way goes on
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        taken = taken && write(out, buffer, count);
      }
    } catch (IOException failed) {
      reset(to);
      return;
    }
    try {
      to.shutdownOutput();
    } catch (IOException ended) {
      // already
    }
  }

  private static boolean write(OutputStream out, byte[] bytes, int count) {
    try {
      out.write(bytes, 0, count);
      return true;
    } catch (IOException ended) {
      return false;
    }
  }

  private static void reset(Socket socket) {
    try (socket) {
      socket.setSoLinger(true, 0);
    } catch (IOException closed) {
      // already
    }
  }

  @Override
  public void close() {
    try (listener) {
      open.forEach(TlsTunnel::reset);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
