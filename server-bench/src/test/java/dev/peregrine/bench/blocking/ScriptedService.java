package dev.peregrine.bench.blocking;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The service that {@code load.c} is in a measurement: 32 bytes for each 16. */
final class ScriptedService implements AutoCloseable {
  static final String REPLY = "Hello, World! says the service\r\n";

  private static final int QUESTION_BYTES = 16;

  private final ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final int repliesEach;

  /**
   * Listens.
   *
   * @param repliesEach replies after which it closes a connection
   */
  ScriptedService(int repliesEach) throws IOException {
    this.repliesEach = repliesEach;
    threads.execute(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        threads.execute(() -> serve(socket));
      }
    } catch (IOException closed) {
      // the test has ended
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      for (int i = 0; i < repliesEach; i++) {
        in.readFully(new byte[QUESTION_BYTES]);
        socket.getOutputStream().write(REPLY.getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException gone) {
      // the client has closed the connection
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    threads.shutdownNow();
  }
}
