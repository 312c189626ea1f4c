package dev.peregrine.server.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Code;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that a server closes because others need what they hold; in a separate JVM. */
final class SparedConnectionsIT {
  private static final int DESCRIPTORS_MAX = 128; // the class path takes some fifty
  private static final List<String> SMALL_HEAP =
      List.of("-XX:+UseSerialGC", "-Xmx64m", "-Xmn2m", "-XX:MaxDirectMemorySize=64m");
  private static final List<String> LITTLE_DIRECT_MEMORY = List.of("-XX:MaxDirectMemorySize=8m");
  private static final int STREAMS = 45; // of a client, with 100 KB in each
  private static final int PART_BYTES = 30_000;

  @BeforeAll
  static void hasShell() {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "needs a shell to set limits");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "tls"})
  void areToldTheLastStreamIfTheyMakeRoomForOthers(String security) throws IOException {
    try (Child server =
        Child.start("ulimit -n " + DESCRIPTORS_MAX + ";", List.of(), ChildServer.class, security)) {
      InetSocketAddress address = address(server);
      List<Http2Client> clients = new ArrayList<>();
      for (int i = 0; i < DESCRIPTORS_MAX; i++) {
        clients.add(Http2Client.connect(address, security.equals("tls")));
        assertThat(clients.getLast().get("/").status()).isEqualTo(200);
      }
      Http2Client longestIdle = clients.getFirst();
      int served = 1;

      assertThat(longestIdle.expectGoaway(Http2Code.NO_ERROR).lastStream()).isEqualTo(served);

      clients.forEach(Http2Client::close);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "tls"})
  void areToldTheLastStreamIfTheHeapIsFull(String security) throws IOException {
    boolean tls = security.equals("tls");
    try (Child server = Child.start("", SMALL_HEAP, ChildServer.class, security)) {
      InetSocketAddress address = address(server);
      Http2Client idle = Http2Client.connect(address, tls);
      assertThat(idle.get("/").status()).isEqualTo(200);
      int served = idle.get("/keep-heap-full").stream();

      assertThat(idle.expectGoaway(Http2Code.NO_ERROR).lastStream()).isEqualTo(served);

      // One that is idle for a moment, before its request has arrived, may make room as well.
      Await.until("a neighbour is served", () -> endsFullHeap(address, tls));
      idle.close();
    }
  }

  private static boolean endsFullHeap(InetSocketAddress address, boolean tls) {
    try (Http2Client neighbour = Http2Client.connect(address, tls)) {
      return neighbour.get("/end-full-heap").status() == 200;
    } catch (UncheckedIOException | AssertionError closed) {
      return false;
    }
  }

  /** It holds content of responses that its client grants no window for. */
  @Test
  void areResetIfTheyHoldTheDirectMemoryThatANeighbourNeeds() throws IOException {
    try (Child server = Child.start("", LITTLE_DIRECT_MEMORY, ChildServer.class)) {
      InetSocketAddress address = address(server);
      Http2Client hoarder = hoard(address);
      hoarder.awaitHead(2 * STREAMS - 1);

      Http2Client another = hoard(address); // for which not enough is left

      Await.until("the larger one is reset", () -> isReset(server, hoarder));
      Await.until("a neighbour is served", () -> isServed(address));
      hoarder.close();
      another.close();
    }
  }

  private static Http2Client hoard(InetSocketAddress address) {
    Http2Client hoarder = Http2Client.connect(address, false).withoutCredit();
    for (int i = 0; i < STREAMS; i++) {
      int ignored = hoarder.request("GET", "/json");
    }
    return hoarder;
  }

  private static boolean isReset(Child server, Http2Client hoarder) {
    String text = "closed " + hoarder.localAddress() + ", which held ";
    return server.errors.stream().anyMatch(line -> line.contains(text));
  }

  /** Returns true if a request is served that needs a block for the first part of its head. */
  private static boolean isServed(InetSocketAddress address) {
    try (RawClient neighbour = RawClient.connect(address)) {
      neighbour.send("GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(PART_BYTES));
      return neighbour.send("\r\n\r\n").read().status() == 200;
    } catch (UncheckedIOException closed) {
      return false;
    }
  }

  private static InetSocketAddress address(Child server) throws IOException {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(server.line()));
  }
}
