package dev.peregrine.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows T33 to T35 and T43: clients that send or take their bytes as slowly as they can. */
final class SlowClientIT {
  /** For clients that are too slow even on a fast machine. */
  private static final ServerLimits SHORT =
      Servers.LIMITS.toBuilder()
          .requestHeadTime(Duration.ofMillis(300))
          .requestBytesPerSecondMin(1_000_000)
          .responseBytesPerSecondMin(1_000_000)
          .requestRateGrace(Duration.ofMillis(300))
          .responseRateGrace(Duration.ofMillis(300))
          .build();

  /** For clients that must be fast enough for a while, even on a busy machine. */
  private static final ServerLimits LONG =
      Servers.LIMITS.toBuilder()
          .requestBytesPerSecondMin(100_000)
          .responseBytesPerSecondMin(100_000)
          .requestRateGrace(Duration.ofSeconds(2))
          .responseRateGrace(Duration.ofSeconds(2))
          .build();

  private static final Duration IDLE_TIME = Duration.ofSeconds(2);

  /** One byte per pause is far below the minimum rate. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final int SLOW_CLIENTS = 20;
  private static final int SMALL_BUFFER_BYTES = 4096;

  private Victim victim;

  SlowClientIT() {
    victim = Victim.start(SHORT, new App());
  }

  @AfterEach
  void isUnharmed() {
    victim.assertUnharmed();
    victim.close();
  }

  private void restart(ServerLimits limits) {
    victim.assertUnharmed();
    victim.close();
    victim = Victim.start(limits, new App());
  }

  @Test
  void answers408ToHeadThatNeverEnds() {
    try (RawClient peer = victim.connect()) {
      peer.send("GET / HTTP/1.1\r\nHost: a\r\nX: ");
      dripUntilAnswered(peer);
      assertTooSlow(peer);
    }
    victim.awaitLine("300 ms");
  }

  @Test
  void answers408ToHeadThatStops() {
    List<RawClient> peers =
        Stream.of("G", "GET / HTTP/1.1", "GET / HTTP/1.1\r\n", "\r\n", "\r")
            .map(part -> victim.connect().send(part))
            .toList();
    for (RawClient peer : peers) {
      assertTooSlow(peer);
      peer.close();
    }
  }

  @Test
  void answers408ToManyHalfHeadsAtATimeAndServesOthers() {
    RawClient[] peers = new RawClient[SLOW_CLIENTS];
    for (int i = 0; i < peers.length; i++) {
      peers[i] = victim.connect().send("GET / HTTP/1.1\r\nHost: a\r\nX: ");
      victim.ping();
    }
    for (RawClient peer : peers) {
      assertTooSlow(peer);
      peer.close();
    }
  }

  @Test
  void closesConnectionThatNeverSends() {
    restart(Servers.LIMITS.toBuilder().keepAliveTime(IDLE_TIME).build());
    try (RawClient silent = victim.connect();
        RawClient idle = connectServed()) {
      silent.expectEnd();
      idle.expectEnd();
    }
    victim.reconnectNeighbour();
  }

  /** Returns a client that has been served: another one if a slow machine made it late. */
  private RawClient connectServed() {
    while (true) {
      long start = System.nanoTime();
      RawClient client = victim.connect();
      try {
        assertThat(client.get("/").read().status()).isEqualTo(200);
        return client;
      } catch (UncheckedIOException ended) {
        client.close();
        if (System.nanoTime() - start < IDLE_TIME.toNanos()) {
          throw ended;
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/read", "/blocking-read"})
  void answers408ToContentThatDrips(String path) {
    try (RawClient peer = victim.connect()) {
      peer.send("POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n");
      dripUntilAnswered(peer);
      assertTooSlow(peer);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/read", "/blocking-read"})
  void answers408ToChunksThatDrip(String path) {
    try (RawClient peer = victim.connect()) {
      peer.send("POST " + path + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
      peer.send("FFFF\r\n");
      dripUntilAnswered(peer);
      assertTooSlow(peer);
    }
  }

  @Test
  void answers408ToContentThatStopsAfterABurst() {
    restart(LONG);
    try (RawClient peer = victim.connect()) {
      // The content more than makes up for the time that the client waits until it is all sent.
      peer.send(
          Requests.join(
              Requests.bytes(Requests.postHead("/read", 30_000_000)), new byte[29_999_999]));
      assertTooSlow(peer);
    }
  }

  @Test
  void closesWhenUnreadContentArrivesTooSlowly() {
    try (RawClient peer = victim.connect()) {
      peer.send("POST /drop HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n");
      assertThat(peer.read().status()).isEqualTo(200);
      peer.expectEnd();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/large", "/endless", "/blocking-write"})
  void abortsResponseThatIsNeverRead(String path) {
    try (RawClient peer = victim.connect(SMALL_BUFFER_BYTES)) {
      peer.get(path);
      awaitAborted(SHORT, 1);
      victim.ping();
    }
  }

  @Test
  void abortsResponsesThatAreNoLongerReadAfterABurst() {
    restart(LONG);
    List<RawClient> peers = new ArrayList<>();
    for (String path : new String[] {"/large", "/endless", "/blocking-write"}) {
      RawClient peer = victim.connect(); // through a small buffer it would be too slow
      peer.get(path);
      peer.readBytes(1_000_000);
      peers.add(peer);
    }
    awaitAborted(LONG, peers.size());
    peers.forEach(RawClient::close);
  }

  @Test
  void abortsManyUnreadResponsesAtATimeAndServesOthers() {
    RawClient[] peers = new RawClient[SLOW_CLIENTS];
    for (int i = 0; i < peers.length; i++) {
      peers[i] = victim.connect(SMALL_BUFFER_BYTES).get("/large");
      victim.ping();
    }
    awaitAborted(SHORT, 1);
    for (RawClient peer : peers) {
      peer.close();
    }
  }

  /**
   * The system takes a good part of a response at a time, so that a client seems to take nothing
   * for as long as it needs for that part.
   */
  @Test
  void servesClientThatReadsSlowlyButSteadily() {
    restart(
        Servers.LIMITS.toBuilder()
            .requestRateGrace(Duration.ofMillis(100))
            .responseRateGrace(Duration.ofMillis(100))
            .build());
    try (RawClient peer = victim.connect()) {
      peer.get("/large");
      for (int i = 0; i < 20; i++) {
        peer.readBytes(64 * 1024);
        LockSupport.parkNanos(4 * PAUSE_NANOS);
      }
      victim.ping();
      assertThat(victim.server.connectionCount()).isEqualTo(2);
    }
  }

  @Test
  void answersARequestThatArrivesInSingleBytes() {
    restart(Servers.LIMITS);
    String request = "POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    String whole = request + "3;a=\"b\"\r\nabc\r\n0\r\nTrailer: t\r\n\r\n";
    try (RawClient peer = victim.connect()) {
      for (int i = 0; i < whole.length(); i++) {
        peer.send(whole.substring(i, i + 1));
        victim.settle();
      }
      assertThat(peer.read().text()).isEqualTo("3 bytes read");
    }
  }

  /** A defect of the application must not affect another client's connection. */
  @Test
  void sendsNothingOfAFailedStreamToOthers() {
    try (RawClient peer = victim.connect()) {
      peer.get("/endless-in-error").expectClosed();
      victim.settle();
    }
    victim.awaitLine("handler failed: GET /endless-in-error");
  }

  /** Row T43. */
  @ParameterizedTest
  @ValueSource(strings = {"/large", "/blocking-write"})
  void sendsEveryByteThroughManyShortWrites(String path) {
    restart(Servers.LIMITS);
    try (RawClient peer = victim.connect(SMALL_BUFFER_BYTES)) {
      peer.get(path);
      assertThat(peer.read().text()).hasSize(App.LARGE_BYTES).matches("\0*");
      assertThat(peer.get("/next").read().text()).isEqualTo("ok");
    }
  }

  private static void dripUntilAnswered(RawClient peer) {
    Await.until(
        () -> "no answer to bytes that drip",
        () -> {
          boolean open = peer.sendWhileOpen(Requests.bytes("a"));
          LockSupport.parkNanos(PAUSE_NANOS);
          return peer.hasMore() || !open;
        });
  }

  private static void assertTooSlow(RawClient peer) {
    RawResponse answer = peer.read();
    assertThat(answer.status()).as(answer.text()).isEqualTo(408);
    assertThat(answer.saysClose()).isTrue();
    peer.expectEnd();
  }

  /**
   * Only the neighbour is left; until then the server keeps no more than its write limit. At least
   * that many lines report it.
   */
  private void awaitAborted(ServerLimits limits, int lines) {
    long bytesMax = SLOW_CLIENTS * 4L * Servers.LIMITS.outboundHighWater();
    Await.until(
        () -> victim.server.connectionCount() + " connections are open",
        () -> {
          assertThat(victim.extraBytes()).isLessThan(bytesMax);
          return victim.server.connectionCount() == 1;
        });
    victim.awaitLines(limits.responseBytesPerSecondMin() + " bytes per second", lines);
  }
}
