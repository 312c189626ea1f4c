package dev.peregrine.bench.compare.load;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests of one workload by a script, on its own threads. The first connection is the one
 * of {@link ServerCheck}, with a single request; on the others all requests of a batch are read
 * before any is answered.
 */
final class ScriptedServer implements AutoCloseable {
  /** A script of the responses. */
  @FunctionalInterface
  interface Script {
    /**
     * Returns the response to each request of a batch.
     *
     * @param batch counts the batches of a connection from 0
     * @param content that came with the request
     * @return null closes the connection
     */
    @Nullable String answer(int batch, String content);
  }

  private static final int BACKLOG = 256;

  private final ServerSocket listener =
      new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final Workload workload;
  private final Script script;

  ScriptedServer(Workload workload, Script script) throws IOException {
    this.workload = workload;
    this.script = script;
    Thread.ofVirtual().start(this::accept);
  }

  /** Returns a response of the workload with the given Date. */
  static String response(String date, String content) {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nDate: %s\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(date, content.length(), content);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Returns the number of connections so far, including that of the check. */
  int connections() {
    return connections.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        sockets.add(socket);
        int depth = connections.getAndIncrement() == 0 ? 1 : workload.depth();
        Thread.ofVirtual().start(() -> serve(socket, depth));
      }
    } catch (IOException closed) {
      // the test is over
    }
  }

  private void serve(Socket socket, int depth) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (int batch = 0; ; batch++) {
        StringBuilder answers = new StringBuilder();
        for (int i = 0; i < depth; i++) {
          String answer = script.answer(batch, readRequest(in));
          if (answer != null) {
            answers.append(answer);
          }
        }
        if (answers.isEmpty()) {
          return;
        }
        socket.getOutputStream().write(answers.toString().getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException broken) {
      // the generator has ended
    }
  }

  /** Returns the content. */
  private String readRequest(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the client has closed the connection");
      }
      head.append((char) next);
    }
    return new String(in.readNBytes(workload.contentBytes()), StandardCharsets.US_ASCII);
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
