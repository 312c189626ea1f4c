package dev.peregrine.server.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.FrameClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More load than the process has descriptors or memory for; each server in a separate JVM. */
final class OverloadIT {
  private static final int HALF_OPEN = 10_000;
  private static final int SPARE_DESCRIPTORS = 500;
  private static final int DESCRIPTORS_MAX = 128; // the class path takes some fifty
  private static final int CONNECTIONS = 200;
  private static final int HALF_HEAD_BYTES = 30_000;
  private static final int SOCKETS = 16;
  private static final int FIRST_PART_BYTES = 60_000; // of all sockets, well within the memory
  private static final int SECOND_PART_BYTES = 300_000;

  @BeforeAll
  static void hasShell() {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "needs a shell to set limits");
  }

  /** Row T34: ten thousand half-open requests, if the system permits that many descriptors. */
  @Test
  void servesNeighbourBesideManyHalfOpenRequests() throws IOException {
    int count =
        Math.min(HALF_OPEN, (int) (descriptorsMax() - Victim.sockets()) - SPARE_DESCRIPTORS);
    // Enough time to open them all on a busy machine before the first one times out.
    Victim victim =
        Victim.start(
            Servers.LIMITS.toBuilder().requestHeadTime(Duration.ofMinutes(5)).build(), new App());
    try (Child clients =
        Child.start("", List.of(), ChildClients.class, "" + victim.port(), "" + count)) {
      assertThat(clients.line()).isEqualTo("" + count);
      victim.settle();
      Await.until("all are accepted", () -> victim.server.connectionCount() == count + 1);
      victim.settle();
      assertThat(victim.extraBytes()).isLessThanOrEqualTo(count * 4096L + 64 * 1024);
      for (int i = 0; i < 200; i++) {
        victim.ping();
      }
    }
    victim.assertUnharmed();
    victim.close();
  }

  private static long descriptorsMax() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }

  @Test
  void closesIdleConnectionsToMakeRoomForOthers() throws IOException {
    try (Child server = startWithFewDescriptors()) {
      InetSocketAddress address = address(server);
      List<RawClient> idle = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        idle.add(RawClient.connect(address));
        assertThat(idle.getLast().get("/file").read().status()).isEqualTo(200);
      }
      assertThat(figures(server)[0]).isBetween(2L, (long) DESCRIPTORS_MAX);
      assertThat(idle.getLast().get("/").read().status()).isEqualTo(200);
      assertThat(lines(server, "SEVERE")).isZero();
      Await.until("it is logged", () -> lines(server, "LimitNOFILE") > 0);
      assertThat(lines(server, "LimitNOFILE")).as("logged once").isEqualTo(1);
      idle.forEach(RawClient::close);
    }
  }

  /** Connections that wait for the rest of a request head can't be spared. */
  @Test
  void refusesConnectionsAtOnceIfNoneIsIdle() throws IOException {
    try (Child server = startWithFewDescriptors()) {
      InetSocketAddress address = address(server);
      List<RawClient> peers = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        RawClient peer = RawClient.connect(address);
        peer.sendWhileOpen(Requests.bytes("GET / HTTP/1.1\r\n"));
        peers.add(peer);
      }
      // Before it comes, a connection might be accepted that another has become idle for.
      assertThat(peers.removeLast().read().status()).as("the last that is accepted").isEqualTo(503);
      int refused = 1;
      for (RawClient peer : peers) {
        peer.sendWhileOpen(Requests.bytes("Host: a\r\n\r\n"));
        int status = peer.read().status();
        assertThat(status).isIn(200, 503);
        refused += status == 503 ? 1 : 0;
      }
      assertThat(refused).isBetween(CONNECTIONS - DESCRIPTORS_MAX, CONNECTIONS - 2);
      assertThat(lines(server, "SEVERE")).isZero();
      peers.forEach(RawClient::close);
      Await.until("all are closed", () -> figures(server)[0] == 0);
    }
  }

  /** The application has taken all descriptors, and no connection is idle. */
  @Test
  void pausesAcceptingWithoutDescriptorsAndContinuesLater() throws IOException {
    try (Child server = startWithFewDescriptors()) {
      InetSocketAddress address = address(server);
      RawClient first = RawClient.connect(address).get("/free-files");
      assertThat(first.read().status()).isEqualTo(200); // loads classes, as the next one does
      assertThat(first.get("/file").read().status()).isEqualTo(200);
      RawClient second = RawClient.connect(address);
      second.send("GET /file HTTP/1.1\r\n");
      Await.until("both are accepted", () -> figures(server)[0] == 2);
      first.get("/take-files").read();
      first.send("GET /free-files HTTP/1.1\r\n");
      List<RawClient> waiting = new ArrayList<>();
      Await.until(
          "accepting pauses",
          () -> {
            RawClient client = RawClient.connect(address);
            client.sendWhileOpen(Requests.bytes("GET / HTTP/1.1\r\n"));
            waiting.add(client);
            return paused(server) > 0;
          });

      RawClient last = RawClient.connect(address).send("GET / HTTP/1.1\r\n");
      long cpuNanos = figures(server)[2];
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
      long usedNanos = figures(server)[2] - cpuNanos;
      assertThat(usedNanos).as("no spin").isLessThan(TimeUnit.MILLISECONDS.toNanos(500));
      assertThat(paused(server)).as("logged once").isEqualTo(1);

      assertThat(first.send("Host: a\r\n\r\n").read().status()).isEqualTo(200);
      assertThat(last.send("Host: a\r\n\r\n").read().status()).isEqualTo(200);
      // Some may have come before the pause, and were refused, or spared before their first byte.
      for (RawClient each : waiting) {
        assertThat(startOfAnswer(each)).isIn("HTTP/1.1 200", "HTTP/1.1 503", "");
      }
      assertThat(second.send("Host: a\r\n\r\n").read().status()).isEqualTo(200);
      first.close();
      second.close();
      last.close();
      waiting.forEach(RawClient::close);
      Await.until("all are closed", () -> figures(server)[0] == 0);
    }
  }

  private static String startOfAnswer(RawClient client) {
    try {
      return client.sendWhileOpen(Requests.bytes("Host: a\r\n\r\n"))
          ? new String(client.readBytes(12), StandardCharsets.ISO_8859_1)
          : "";
    } catch (UncheckedIOException closed) {
      assertThat(closed.getCause()).isNotInstanceOf(SocketTimeoutException.class);
      return "";
    }
  }

  private static Child startWithFewDescriptors() throws IOException {
    return Child.start("ulimit -n " + DESCRIPTORS_MAX + ";", List.of(), ChildServer.class);
  }

  private static long lines(Child server, String text) {
    return server.errors.stream().filter(line -> line.contains(text)).count();
  }

  private static long paused(Child server) {
    return server.errors.stream().filter(line -> line.contains("accept failed")).count();
  }

  /**
   * Each connection holds a half-received head, for which there isn't enough memory: those that get
   * none are closed or get 503, the others and later ones are served.
   */
  @Test
  void outlivesTheEndOfDirectMemory() throws IOException {
    try (Child server = startWithLittleDirectMemory()) {
      InetSocketAddress address = address(server);
      List<RawClient> peers = sendHalfHeads(address, "/");
      int refused = 0;
      for (RawClient peer : peers) {
        peer.sendWhileOpen(Requests.bytes("a\r\n\r\n"));
        refused += isServed(peer) ? 0 : 1;
      }
      assertThat(refused).isBetween(1, CONNECTIONS - 1);
      peers.forEach(RawClient::close);
      Await.until("all are closed", () -> figures(server)[0] == 0);
      try (RawClient peer = RawClient.connect(address)) {
        peer.send(halfHead("/")).send("\r\n\r\n");
        assertThat(peer.read().status()).isEqualTo(200);
      }
      long lines = server.errors.stream().filter(line -> !line.startsWith("\t")).count();
      assertThat(lines).as("lines logged, without the frames of stacks").isLessThan(40);
    }
  }

  /**
   * Half-received heads hold all direct memory when the first response is to be encoded. It can't
   * be, so the connection ends, even if the application catches the error.
   */
  @ParameterizedTest
  @ValueSource(strings = {"/", "/caught"})
  void endsConnectionsWithoutMemoryForTheirResponses(String path) throws IOException {
    try (Child server = startWithLittleDirectMemory()) {
      List<RawClient> peers = sendHalfHeads(address(server), path);
      Await.until(
          "each open connection holds its half",
          () -> {
            long[] now = figures(server);
            return now[0] < CONNECTIONS && now[1] >= now[0] * HALF_HEAD_BYTES;
          });
      for (RawClient peer : peers) {
        peer.sendWhileOpen(Requests.bytes("a\r\n\r\n"));
        isServed(peer);
      }
      peers.forEach(RawClient::close);
      Await.until("all are closed", () -> figures(server)[0] == 0);
    }
  }

  /**
   * Each WebSocket holds the first part of a message, and there isn't enough memory for the second
   * parts of all. Sockets that get none end, and what they held is free again.
   */
  @Test
  void endsWebSocketsWithoutMemoryForTheirMessages() throws IOException {
    try (Child server = startWithLittleDirectMemory()) {
      InetSocketAddress address = address(server);
      List<FrameClient> clients = new ArrayList<>();
      FrameClient.open(RawClient.connect(address), "/web-socket").client().close();
      Await.until("the server is idle", () -> figures(server)[0] == 0);
      long idleBytes = figures(server)[1];
      for (int i = 0; i < SOCKETS; i++) {
        FrameClient client = FrameClient.open(RawClient.connect(address), "/web-socket");
        clients.add(client.send(FrameClient.BINARY, new byte[FIRST_PART_BYTES]));
      }
      long heldBytes = (long) SOCKETS * FIRST_PART_BYTES;
      Await.until("all first parts are held", () -> figures(server)[1] - idleBytes >= heldBytes);
      byte[] second = FrameClient.frame(FrameClient.CONTINUATION, new byte[SECOND_PART_BYTES]);
      clients.forEach(each -> each.client().sendWhileOpen(second));
      Await.until("a socket has ended", () -> figures(server)[3] < SOCKETS);

      clients.forEach(each -> each.client().close());
      Await.until("all connections are closed", () -> figures(server)[0] == 0);
      Await.until("all listeners are notified", () -> figures(server)[3] == 0);
      Await.until("no memory is held", () -> figures(server)[1] <= idleBytes);
      FrameClient later = FrameClient.open(RawClient.connect(address), "/web-socket");
      later.send(FrameClient.FINAL | FrameClient.BINARY, new byte[SECOND_PART_BYTES]);
      assertThat(later.read().payload()).hasSize(SECOND_PART_BYTES);
      later.client().close();
    }
  }

  private static Child startWithLittleDirectMemory() throws IOException {
    return Child.start("", List.of("-XX:MaxDirectMemorySize=4m"), ChildServer.class);
  }

  private static List<RawClient> sendHalfHeads(InetSocketAddress address, String path) {
    List<RawClient> peers = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      RawClient peer = RawClient.connect(address);
      peer.sendWhileOpen(halfHead(path));
      peers.add(peer);
    }
    return peers;
  }

  private static byte[] halfHead(String path) {
    return Requests.bytes(
        "GET " + path + " HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(HALF_HEAD_BYTES));
  }

  /**
   * The application fills the heap while clients come and go; afterwards every request is served
   * and no connection is left.
   */
  @Test
  void outlivesAFullHeap() throws IOException {
    try (Child server = Child.start("", List.of("-Xmx96m"), ChildServer.class)) {
      InetSocketAddress address = address(server);
      List<Thread> clients = new ArrayList<>();
      AtomicBoolean over = new AtomicBoolean();
      for (int i = 0; i < 4; i++) {
        clients.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      while (!over.get()) {
                        tryOnce(address);
                      }
                    }));
      }
      for (int i = 0; i < 3; i++) {
        try (RawClient filling = RawClient.connect(address)) {
          assertThat(filling.get("/full-heap").read().status()).isEqualTo(200);
        }
        AtomicInteger served = new AtomicInteger();
        Await.until(
            () -> served + " requests in a row are served",
            () -> (tryOnce(address) ? served.incrementAndGet() : served.getAndSet(0)) >= 100);
      }
      over.set(true);
      clients.forEach(OverloadIT::join);
      Await.until("all are closed", () -> figures(server)[0] == 0);
      assertThat(server.errors.size()).as("lines logged").isLessThan(200);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }

  /**
   * Returns true if one request on a new connection is served within a short time, by a process
   * with a free heap.
   */
  private static boolean tryOnce(InetSocketAddress address) {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.setSoTimeout(2_000);
      socket.getOutputStream().write(Requests.get("/free-heap"));
      byte[] status = socket.getInputStream().readNBytes(12);
      return new String(status, StandardCharsets.ISO_8859_1).equals("HTTP/1.1 200");
    } catch (IOException lost) {
      return false;
    }
  }

  private static boolean isServed(RawClient peer) {
    try {
      int status = peer.read().status();
      assertThat(status).isIn(200, 503);
      return status == 200;
    } catch (UncheckedIOException closed) {
      return false;
    }
  }

  private static InetSocketAddress address(Child server) throws IOException {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(server.line()));
  }

  /** Connections, bytes of buffers in use, processor time of the loop, open WebSockets. */
  private static long[] figures(Child server) {
    try {
      return Stream.of(server.ask("").split(" ", -1)).mapToLong(Long::parseLong).toArray();
    } catch (IOException ended) {
      throw new UncheckedIOException(ended);
    }
  }
}
