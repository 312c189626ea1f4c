package dev.peregrine.bench.blocking;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentLinkedDeque;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Connections to the service, which replies to each 16 bytes with 32. The one that was returned
 * last is used first; there are as many as were ever used at a time. Thread-safe.
 */
final class ServicePool {
  private static final byte[] QUESTION = "question 000042\n".getBytes(StandardCharsets.US_ASCII);
  private static final int REPLY_BYTES = 32;

  private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();
  private final SocketFactory sockets;
  private final int port;

  ServicePool(SocketFactory sockets, int port) {
    this.sockets = sockets;
    this.port = port;
  }

  /** Asks, on a new connection if the service has closed the idle ones. */
  byte[] ask() throws IOException {
    for (Connection known = idle.pollFirst(); known != null; known = idle.pollFirst()) {
      byte[] reply = ask(known);
      if (reply != null) {
        return reply;
      }
    }
    byte[] reply = ask(new Connection(sockets, port));
    if (reply == null) {
      throw new EOFException("the service closes new connections");
    }
    return reply;
  }

  /** Returns null if the connection was closed. */
  private byte @Nullable [] ask(Connection connection) throws IOException {
    try {
      byte[] reply = connection.ask();
      idle.addFirst(connection);
      return reply;
    } catch (IOException stale) {
      connection.socket.close();
      return null;
    }
  }

  private static final class Connection {
    private final Socket socket;
    private final DataInputStream in;

    Connection(SocketFactory sockets, int port) throws IOException {
      socket = sockets.createSocket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      in = new DataInputStream(socket.getInputStream());
    }

    byte[] ask() throws IOException {
      byte[] reply = new byte[REPLY_BYTES];
      socket.getOutputStream().write(QUESTION);
      in.readFully(reply);
      return reply;
    }
  }
}
