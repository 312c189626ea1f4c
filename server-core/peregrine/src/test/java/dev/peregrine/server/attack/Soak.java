package dev.peregrine.server.attack;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Mixed traffic for some minutes: valid, pipelined, content both ways, slow, broken, reset. Prints
 * errors and what the process holds, at rest before and after; exits with 1 if there were errors or
 * if it holds more.
 *
 * <pre>./mvnw -Psoak -pl server-core/peregrine -am -Dminutes=10</pre>
 */
final class Soak {
  private static final int CLIENTS = 64;
  private static final List<String> ECHO_PATHS = List.of("/whole", "/pieces", "/blocking");
  private static final int CONTENT_BYTES_MAX = 200_000;
  private static final int ERRORS_SHOWN_MAX = 10;
  private static final long HEAP_GROWTH_BYTES_MAX = 16 << 20;
  private static final long DIRECT_GROWTH_BYTES_MAX = 16 << 20;
  private static final long RESIDENT_GROWTH_BYTES_MAX = 64 << 20; // compiled code and classes too
  private static final List<Malformed> MALFORMED =
      List.of(Malformed.chunks(), Malformed.framings(), Malformed.heads()).stream()
          .flatMap(List::stream)
          .toList();

  private final AtomicLong actions = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();
  private final Queue<String> shown = new ConcurrentLinkedQueue<>();
  private final App app = new App();
  private final HttpServer server;

  /** The resources of the process at rest. */
  private record Figures(
      long heapBytes, long directBytes, long residentBytes, long bufferBytes, long descriptors) {
    @Override
    public String toString() {
      return ("heap %,d KiB, direct memory %,d KiB, resident %,d KiB,"
              + " buffers in use %,d KiB, sockets %d")
          .formatted(
              heapBytes >> 10,
              directBytes >> 10,
              residentBytes >> 10,
              bufferBytes >> 10,
              descriptors);
    }
  }

  /** An action of a client; fails if the server's reaction is wrong. */
  @FunctionalInterface
  private interface Action {
    void run(SplittableRandom random);
  }

  private final Action[] kinds = {
    this::get,
    this::pipeline,
    this::echo,
    this::echoChunked,
    this::malformed,
    this::reset,
    this::dribble,
    this::halfOpen,
    this::leaveLarge,
    this::upgrade
  };

  private Soak() {
    ServerLimits limits =
        ServerLimits.builder()
            .requestHeadTime(Duration.ofSeconds(5))
            .build() // enough time for a client among many
            .toBuilder()
            .requestRateGrace(Duration.ofSeconds(5))
            .responseRateGrace(Duration.ofSeconds(5))
            .loopBlockedTime(Duration.ofMinutes(1))
            .build();
    server = Peregrine.builder().loops(2).limits(limits).handler(this::handle).start();
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    double minutes = Double.parseDouble(args[0]);
    System.exit(new Soak().run(minutes) ? 0 : 1);
  }

  private boolean run(double minutes) throws IOException, InterruptedException {
    long nanos = (long) (minutes * TimeUnit.MINUTES.toNanos(1));
    long warmUpNanos = Math.min(nanos / 4, TimeUnit.SECONDS.toNanos(60));
    traffic(warmUpNanos);
    Figures start = rest();
    System.out.println("start: " + start);
    traffic(nanos - warmUpNanos);
    Figures end = rest();
    System.out.println("end:   " + end);
    System.out.println("actions " + actions + ", errors " + errors);
    shown.forEach(System.out::println);
    server.close();
    boolean grown =
        end.heapBytes - start.heapBytes > HEAP_GROWTH_BYTES_MAX
            || end.directBytes - start.directBytes > DIRECT_GROWTH_BYTES_MAX
            || end.residentBytes - start.residentBytes > RESIDENT_GROWTH_BYTES_MAX
            || end.bufferBytes > start.bufferBytes
            || end.descriptors > start.descriptors;
    System.out.println(grown ? "GROWN" : "not grown");
    return errors.get() == 0 && !grown;
  }

  /** Runs all clients for a time. */
  private void traffic(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      SplittableRandom random = new SplittableRandom(i);
      clients.add(Thread.ofVirtual().start(() -> runUntil(end, random)));
    }
    for (Thread client : clients) {
      client.join();
    }
  }

  private void runUntil(long end, SplittableRandom random) {
    while (System.nanoTime() - end < 0) {
      int kind = random.nextInt(kinds.length);
      try {
        kinds[kind].run(random);
        actions.incrementAndGet();
      } catch (RuntimeException | AssertionError failure) {
        if (errors.incrementAndGet() <= ERRORS_SHOWN_MAX) {
          shown.add("kind " + kind + ": " + failure + " " + failure.getCause());
        }
      }
    }
  }

  /** Waits until no connection is open and garbage is collected, then looks. */
  private Figures rest() throws IOException, InterruptedException {
    app.release();
    Await.until(
        () -> "no connection is open: " + server.connectionCount(),
        () -> server.connectionCount() == 0);
    for (int i = 0; i < 3; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(500);
    }
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    long direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    return new Figures(heap, direct, residentBytes(), server.bufferBytesInUse(), Victim.sockets());
  }

  /**
   * Returns the resident memory of the process. Only this includes native buffers outside the JVM's
   * pools.
   */
  static long residentBytes() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("RssAnon:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
        .sum();
  }

  // ---- the application ----

  private void handle(Request request, Response response) throws Exception {
    switch (request.path()) {
      case "/whole" -> Echo.WHOLE.handler().handle(request, response);
      case "/pieces" -> Echo.PIECES.handler().handle(request, response);
      case "/blocking" -> Echo.BLOCKING.handler().handle(request, response);
      default -> app.handle(request, response);
    }
  }

  // ---- what clients do ----

  private RawClient connect() {
    return RawClient.connect(server.address());
  }

  private void get(SplittableRandom random) {
    try (RawClient client = connect()) {
      for (int i = random.nextInt(50); i >= 0; i--) {
        expect(client.get("/").read(), 200);
      }
    }
  }

  private void pipeline(SplittableRandom random) {
    int count = random.nextInt(1, 500);
    try (RawClient client = connect()) {
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count));
      for (int i = 0; i < count; i++) {
        expect(client.read(), 200);
      }
    }
  }

  private void echo(SplittableRandom random) {
    echo(random, (path, content) -> Requests.post(path, content));
  }

  private void echoChunked(SplittableRandom random) {
    int chunkBytes = random.nextInt(1, 20_000);
    echo(random, (path, content) -> Requests.chunkedPost(path, content, chunkBytes, Map.of()));
  }

  /** Makes a request of a path and content. */
  @FunctionalInterface
  private interface Framing {
    byte[] request(String path, byte[] content);
  }

  private void echo(SplittableRandom random, Framing framing) {
    String path = ECHO_PATHS.get(random.nextInt(ECHO_PATHS.size()));
    byte[] content = new byte[random.nextInt(CONTENT_BYTES_MAX)];
    random.nextBytes(content);
    try (RawClient client = connect()) {
      for (int i = random.nextInt(3); i >= 0; i--) {
        CompletableFuture<Void> sending = client.sendMeanwhile(framing.request(path, content));
        RawResponse response = client.read();
        expect(response, 200);
        sending.join();
        if (!Arrays.equals(content, response.content())) {
          throw new AssertionError("other content of " + path);
        }
      }
    }
  }

  private void malformed(SplittableRandom random) {
    Malformed request = MALFORMED.get(random.nextInt(MALFORMED.size()));
    try (RawClient client = connect()) {
      client.sendWhileOpen(Requests.bytes(request.bytes()));
      client.halfClose();
      if (client.read().status() < 400) {
        throw new AssertionError("accepted: " + request);
      }
      client.expectClosed();
    }
  }

  private void reset(SplittableRandom random) {
    byte[] bytes = Requests.post("/whole", new byte[random.nextInt(1, 10_000)]);
    try (RawClient client = connect()) {
      client.send(bytes, 0, random.nextInt(bytes.length));
      client.reset();
    }
  }

  /** Byte by byte, quickly enough. */
  private void dribble(SplittableRandom random) {
    byte[] bytes = Requests.chunkedPost("/pieces", new byte[random.nextInt(1, 20)], 3);
    try (RawClient client = connect()) {
      for (int i = 0; i < bytes.length; i++) {
        client.send(bytes, i, 1);
      }
      expect(client.read(), 200);
    }
  }

  /** Half a head, until the server has enough of it. */
  private void halfOpen(SplittableRandom random) {
    try (RawClient client = connect()) {
      client.send("GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(random.nextInt(20_000)));
      if (random.nextInt(10) == 0) {
        expect(client.read(), 408);
      }
    }
  }

  /** A response that is read in part. */
  private void leaveLarge(SplittableRandom random) {
    String[] paths = {"/large", "/endless", "/blocking-write"};
    try (RawClient client = connect()) {
      client.get(paths[random.nextInt(paths.length)]).readBytes(random.nextInt(1, 500_000));
      if (random.nextBoolean()) {
        client.reset();
      }
    }
  }

  private void upgrade(SplittableRandom random) {
    try (RawClient client = connect()) {
      client.send(
          "GET /upgrade HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n");
      expect(client.read(), 101);
      byte[] bytes = new byte[random.nextInt(1, 5000)];
      random.nextBytes(bytes);
      if (!Arrays.equals(bytes, client.send(bytes).readBytes(bytes.length))) {
        throw new AssertionError("other bytes through the tunnel");
      }
    }
  }

  private static void expect(RawResponse response, int status) {
    if (response.status() != status) {
      throw new AssertionError("expected " + status + ", got " + response);
    }
  }
}
