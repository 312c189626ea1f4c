package dev.peregrine.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.SystemBuffers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows T20, T25, T31 and T32: clients that send as much as they can. */
final class FloodIT {
  private static final String HEAD = "GET / HTTP/1.1\r\nHost: a\r\n";
  private static final String CHUNKED =
      "POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  private static final int MEGABYTE = 1_000_000;

  /**
   * The most that the loop may hold for one connection: 64 KiB carried over and the 128 KiB that
   * they grow into, while both are there, and 64 KiB to write into. Or 64 KiB carried over, two
   * blocks of its queue, and one of the queue that the loop has taken instead. With TLS also 64 KiB
   * of records that wait to be sent.
   */
  private static final int CONNECTION_BYTES_MAX = (Servers.TLS ? 5 : 4) * 64 * 1024;

  private Victim victim;

  FloodIT() {
    victim = Victim.start(Servers.LIMITS, new App());
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
  void answers431ToOneLargeField() {
    assertRefused(431, HEAD + "X: " + "a".repeat(380 * 1024) + "\r\n\r\n");
  }

  @Test
  void answers431ToManyFields() {
    assertRefused(431, HEAD + "X: a\r\n".repeat(10_000) + "\r\n");
  }

  @Test
  void answers431ToFieldNameWithoutEnd() {
    assertRefused(431, HEAD + "a".repeat(MEGABYTE));
  }

  @Test
  void answers414ToLongTarget() {
    assertRefused(414, "GET /" + "a".repeat(MEGABYTE) + " HTTP/1.1\r\nHost: a\r\n\r\n");
  }

  @Test
  void answers501ToMethodWithoutEnd() {
    assertRefused(501, "A".repeat(MEGABYTE));
  }

  @Test
  void answers400ToEndlessEmptyLines() {
    assertRefused(400, "\r\n".repeat(MEGABYTE));
  }

  @Test
  void answers413ToLargeChunkExtension() {
    assertRefused(413, CHUNKED + "1;" + "a".repeat(MEGABYTE));
  }

  @Test
  void answers413ToChunkExtensionsThatAreSmallButMany() {
    assertRefused(413, CHUNKED + "1;abcdefghij=\"klmnopqrstuvwxyz\"\r\nx\r\n".repeat(10_000));
  }

  @Test
  void answers431ToLargeTrailer() {
    assertRefused(431, CHUNKED + "0\r\nX: " + "a".repeat(MEGABYTE));
  }

  @Test
  void answers431ToManyTrailers() {
    assertRefused(431, CHUNKED + "0\r\n" + "X: a\r\n".repeat(10_000));
  }

  @ParameterizedTest
  @CsvSource({"30000001", "2147483648", "9223372036854775807"})
  void answers413ToGiantContentLengthBeforeAnyContent(String length) {
    assertRefused(413, "POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n");
  }

  @Test
  void closesAfterGiantContentThatTheHandlerDoesNotRead() {
    try (RawClient peer = victim.connect()) {
      peer.send(Requests.postHead("/drop", Long.MAX_VALUE));
      RawResponse response = peer.read();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.saysClose()).isTrue();
      peer.expectEnd();
    }
  }

  @Test
  void answers413ToEndlessChunks() {
    restart(Servers.LIMITS.toBuilder().bodyBytesMax(MEGABYTE).build());
    assertRefused(413, CHUNKED + "1\r\nx\r\n".repeat(2 * MEGABYTE));
  }

  @Test
  void stopsReadingAfterAnErrorFromAClientThatContinues() {
    try (RawClient peer = victim.connect()) {
      CompletableFuture<Void> sending = peer.sendMeanwhile(new byte[64 * MEGABYTE]);
      assertThat(peer.read().status()).isEqualTo(400);
      peer.expectClosed();
      assertThat(sending).failsWithin(Duration.ofMinutes(2));
    }
  }

  /** Requests are read only as fast as the client receives their responses. */
  @ParameterizedTest
  @CsvSource({"/", "/large", "/held"})
  void holdsLittleForPipelinedRequestsWhoseResponsesAreNotRead(String path) {
    restart(
        Servers.LIMITS.toBuilder()
            .requestBytesPerSecondMin(MEGABYTE)
            .responseBytesPerSecondMin(MEGABYTE)
            .requestRateGrace(Duration.ofMillis(500))
            .responseRateGrace(Duration.ofMillis(500))
            .outboundLowWater(4096)
            .outboundHighWater(8192)
            .build());
    String request = "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
    byte[] requests = Requests.bytes(request.repeat(SystemBuffers.MORE_BYTES / request.length()));
    try (RawClient peer = victim.connect(4096)) {
      CompletableFuture<Void> sending = peer.sendMeanwhile(requests);
      if (path.equals("/held")) {
        victim.settle(); // a slow application isn't the client's fault
        peer.reset();
        assertThat(sending).failsWithin(Duration.ofMinutes(2)); // the reset is out
        victim.release();
      }
      Await.until(
          () -> victim.server.connectionCount() + " connections are open",
          () -> {
            assertThat(victim.extraBytes()).isLessThanOrEqualTo(CONNECTION_BYTES_MAX);
            return victim.server.connectionCount() == 1;
          });
      assertThat(sending).failsWithin(Duration.ofMinutes(2));
    }
  }

  /** Row T20. */
  @Test
  void answersExpectationsWithoutHoldingAnything() {
    String request =
        "POST /drop HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n";
    try (RawClient peer = victim.connect()) {
      for (int i = 0; i < 10_000; i++) {
        peer.send(request);
        assertThat(peer.read().status()).isEqualTo(200);
      }
    }
  }

  /** Row T20: the clients never send the content that they announce. */
  @Test
  void holdsNoBufferForClientsThatWaitForContinue() {
    String request =
        "POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n";
    List<RawClient> peers = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      peers.add(victim.connect().send(request));
    }
    for (RawClient peer : peers) {
      assertThat(peer.read().status()).isEqualTo(100);
    }
    victim.settle();
    // Between two turns, because each turn over TLS takes further blocks.
    Await.until("no buffer is held", () -> victim.extraBytes() <= 64 * 1024);
    peers.forEach(RawClient::close);
  }

  /** Row T25: the server itself doesn't look into the fields of content negotiation. */
  @Test
  void passesOnManyQualityValues() {
    String accept = "a;q=0." + "0".repeat(100) + ",";
    try (RawClient peer = victim.connect()) {
      peer.send(HEAD + "Accept: " + accept.repeat(300) + "\r\n\r\n");
      assertThat(peer.read().status()).isEqualTo(200);
    }
  }

  /** Row T31. */
  @Test
  void answers503AboveTheLimitOfConnectionsAndServesThoseBelow() {
    restart(Servers.LIMITS.toBuilder().connectionsMax(4).build());
    List<RawClient> admitted = new ArrayList<>();
    for (int i = 0; i < 3; i++) { // the neighbour is the fourth
      admitted.add(victim.connect());
      assertThat(admitted.getLast().get("/").read().status()).isEqualTo(200);
    }
    for (int i = 0; i < 300; i++) {
      try (RawClient peer = victim.connect()) {
        RawResponse response = peer.read();
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.saysClose()).isTrue();
      }
    }
    for (RawClient peer : admitted) {
      assertThat(peer.get("/").read().status()).isEqualTo(200);
      peer.close();
    }
    Await.until("there is room again", () -> victim.server.connectionCount() == 1);
  }

  @Test
  void survivesChurnOfConnections() {
    int connections = Servers.TLS ? 600 : 3000; // a handshake takes long on a slow machine
    for (int i = 0; i < connections; i++) {
      RawClient peer = victim.connect();
      switch (i % 5) {
        case 0 -> peer.close();
        case 1 -> peer.reset();
        case 2 -> peer.send("GET / HT").close();
        case 3 -> peer.get("/").reset();
        default -> {
          assertThat(peer.get("/").read().status()).isEqualTo(200);
          peer.close();
        }
      }
    }
  }

  private void assertRefused(int status, String request) {
    try (RawClient peer = victim.connect()) {
      peer.sendWhileOpen(Requests.bytes(request));
      RawResponse response = peer.read();
      assertThat(response.status()).isEqualTo(status);
      assertThat(response.saysClose()).isTrue();
      assertThat(victim.extraBytes()).isLessThanOrEqualTo(CONNECTION_BYTES_MAX);
      peer.expectClosed();
    }
    assertThat(victim.seen).doesNotContain("/smuggled");
    victim.awaitLine(" with " + status);
  }
}
