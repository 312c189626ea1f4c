package dev.peregrine.bench.idle;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds many idle keep-alive connections to a server on this machine and prints the server's memory
 * for each. Every connection gets a response first, and another one after all of them were idle.
 *
 * <pre>
 * java -cp server-bench/target/benchmarks.jar dev.peregrine.bench.idle.IdleConnections PORT PID CONNECTIONS [REQUESTS|websocket]
 * </pre>
 *
 * <p>With a number of requests, every connection speaks HTTP/2 and has sent that many, one after
 * the other, when it becomes idle. With {@code websocket}, it is a WebSocket at {@code /ws} that
 * sends messages back.
 *
 * <p>The live heap is the sum of {@code jcmd PID GC.class_histogram}, after a full collection; the
 * resident memory is that of the process ({@code /proc}, so this runs on Linux only).
 */
public final class IdleConnections {
  private static final int PER_SOURCE = 20_000; // below the number of ports of one address
  private static final int PROGRESS_EVERY = 20_000;

  private final InetSocketAddress server;
  private final long pid;
  private final List<SocketChannel> connections = new ArrayList<>();
  private final Dialogue dialogue;

  private IdleConnections(int port, long pid, Dialogue dialogue) throws UnknownHostException {
    this.server = loopback(1, port);
    this.pid = pid;
    this.dialogue = dialogue;
  }

  /** Runs with a port, the server's process id, the number of connections, and their kind. */
  public static void main(String[] args) throws IOException {
    if (args.length != 3 && args.length != 4) {
      System.err.println("usage: IdleConnections PORT PID CONNECTIONS [REQUESTS|websocket]");
      System.exit(2);
    }
    int port = Integer.parseInt(args[0]);
    long pid = Long.parseLong(args[1]);
    Dialogue dialogue = args.length == 3 ? PlainDialogue.http1() : dialogue(args[3]);
    new IdleConnections(port, pid, dialogue).run(Integer.parseInt(args[2]));
  }

  private static Dialogue dialogue(String kind) {
    return kind.equals("websocket")
        ? PlainDialogue.webSocket()
        : new Http2Dialogue(Integer.parseInt(kind));
  }

  private void run(int count) throws IOException {
    open(Math.min(count / 10, 1000)); // so that one-time allocation of the first ones doesn't count
    int before = connections.size();
    long heapBefore = liveHeapBytes();
    long residentBefore = residentBytes();
    open(count - before);
    long heap = liveHeapBytes() - heapBefore;
    long resident = residentBytes() - residentBefore;
    int served = 0;
    for (SocketChannel connection : connections) {
      dialogue.askAgain(connection);
      served++;
    }
    double each = count - before;
    System.out.printf("%d connections held, %d served again%n", connections.size(), served);
    System.out.printf("live heap each: %.0f bytes%n", heap / each);
    System.out.printf("resident memory each: %.0f bytes%n", resident / each);
    for (SocketChannel connection : connections) {
      connection.close();
    }
  }

  private void open(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      int source = 2 + connections.size() / PER_SOURCE;
      SocketChannel connection = SocketChannel.open();
      connections.add(connection);
      connection.bind(loopback(source, 0));
      connection.connect(server);
      dialogue.begin(connection);
      if (connections.size() % PROGRESS_EVERY == 0) {
        System.out.println(connections.size() + " connections");
      }
    }
  }

  private static InetSocketAddress loopback(int host, int port) throws UnknownHostException {
    return new InetSocketAddress(
        InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) host}), port);
  }

  private long liveHeapBytes() throws IOException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(pid),
                "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(jcmd.getInputStream(), StandardCharsets.US_ASCII))) {
      String total =
          lines.lines().filter(line -> line.startsWith("Total")).findFirst().orElseThrow();
      return Long.parseLong(total.replaceFirst("Total +[0-9]+ +", "").trim());
    }
  }

  private long residentBytes() throws IOException {
    try (var lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
      String line = lines.filter(each -> each.startsWith("VmRSS:")).findFirst().orElseThrow();
      return 1024 * Long.parseLong(line.replaceAll("[^0-9]", ""));
    }
  }
}
