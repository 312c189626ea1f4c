package dev.peregrine.server;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Clients with new and with persistent connections, which count everything that goes wrong. */
final class RestartLoad {
  private static final int TIMEOUT_MILLIS = 120_000;
  private static final long PAUSE_NANOS = 1_000_000; // leaves processor time for starting a JVM
  private static final int REQUESTS_MAX = 200; // of a persistent connection
  private static final String HEAD_END = "\r\n\r\n";

  final LongAdder connections = new LongAdder();
  final LongAdder requests = new LongAdder();
  final LongAdder refused = new LongAdder();

  /** Requests on a reused connection that ended before any byte of their response. */
  final LongAdder repeatable = new LongAdder();

  final List<String> failures = new CopyOnWriteArrayList<>();
  final Map<String, LongAdder> answers = new ConcurrentHashMap<>();

  private final int port;
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();

  RestartLoad(int port, int newConnections, int persistent) {
    this.port = port;
    for (int i = 0; i < newConnections + persistent; i++) {
      int most = i < newConnections ? 1 : REQUESTS_MAX;
      threads.add(Thread.ofPlatform().daemon().start(() -> run(most)));
    }
  }

  private void run(int most) {
    while (!stopping.get()) {
      try (Socket socket = new Socket()) {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        connections.increment();
        use(socket, most);
      } catch (ConnectException refusal) {
        refused.increment();
      } catch (IOException failure) {
        failures.add(failure.toString());
      }
    }
  }

  private void use(Socket socket, int most) throws IOException {
    boolean last = false;
    for (int i = 1; !last; i++) {
      last = i >= most || stopping.get();
      String request =
          "GET / HTTP/1.1\r\nHost: a\r\n" + (last ? "Connection: close\r\n" : "") + "\r\n";
      String head;
      try {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        head = readHead(socket.getInputStream());
      } catch (IOException lost) {
        if (i > 1) {
          repeatable.increment();
          return;
        }
        throw lost;
      }
      int length = Integer.parseInt(between(head, "Content-Length: ", "\r\n"));
      String answer =
          new String(socket.getInputStream().readNBytes(length), StandardCharsets.US_ASCII);
      if (!head.startsWith("HTTP/1.1 200 ") || answer.length() != length) {
        failures.add("an incomplete answer: " + head + answer);
      }
      requests.increment();
      LockSupport.parkNanos(PAUSE_NANOS);
      answers.computeIfAbsent(answer, name -> new LongAdder()).increment();
      last |= head.contains("Connection: close");
    }
  }

  private String readHead(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf(HEAD_END) < 0) {
      int next = in.read();
      if (next < 0) {
        if (!head.isEmpty()) {
          failures.add("half a head: " + head);
        }
        throw new EOFException("no response");
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private static String between(String text, String start, String end) {
    int from = text.indexOf(start) + start.length();
    return text.substring(from, text.indexOf(end, from));
  }

  long answersOf(String name) {
    LongAdder count = answers.get(name);
    return count == null ? 0 : count.sum();
  }

  /** Ends the clients after their present requests. */
  void stop() throws InterruptedException {
    stopping.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Override
  public String toString() {
    return "%d connections, %d requests; %d refused, %d repeatable, failures %s"
        .formatted(connections.sum(), requests.sum(), refused.sum(), repeatable.sum(), failures);
  }
}
