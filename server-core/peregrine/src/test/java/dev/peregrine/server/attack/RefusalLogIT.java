package dev.peregrine.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The log line about an exceeded limit: its name and value, the client, and the number of bytes.
 */
final class RefusalLogIT {
  private static final String HEAD = "GET / HTTP/1.1\r\nHost: a\r\n";
  private static final String LINES = "\r\n\r\n\r\n\r\n\r\n";

  private static final ServerLimits SMALL =
      Servers.LIMITS.toBuilder()
          .parser(new ParserLimits(101, 2, 202, 3, 106, 107, 104, 5))
          .bodyBytesMax(108)
          .requestHeadTime(Duration.ofMillis(109))
          .requestBytesPerSecondMin(1_000_110)
          .responseBytesPerSecondMin(1_000_110)
          .requestRateGrace(Duration.ofMillis(100))
          .responseRateGrace(Duration.ofMillis(100))
          .build();

  private Victim victim = Victim.start(SMALL, new App());

  @AfterEach
  void isUnharmed() {
    victim.assertUnharmed();
    victim.close();
  }

  /** Row S10. */
  @Test
  void namesTlsOnAPortWithoutTls() {
    try (RawClient client = victim.connect()) {
      client.send(HexFormat.of().parseHex("1603010200010001fc0303"));
      assertThat(client.read().status()).isEqualTo(400);
      client.expectEnd();
    }
    victim.awaitLine("TLS on a port without TLS");
  }

  @ParameterizedTest
  @CsvSource({
    "long line,          414, 101 bytes (parser.requestLineBytesMax), [0-9]+ bytes",
    "long method,        501, 101 bytes (parser.requestLineBytesMax), [0-9]+ bytes",
    "empty lines,        400, 2 lines (parser.emptyLinesMax), [0-9]+ bytes",
    "large fields,       431, 202 bytes (parser.headerBytesMax), [0-9]+ bytes",
    "many fields,        431, 3 lines (parser.fieldsMax), [0-9]+ bytes",
    "chunk extension,    413, 106 bytes for a chunk (parser.chunkExtensionBytesMax) and 107 for a"
        + " body (parser.bodyExtensionBytesMax), 0 bytes",
    "large trailers,     431, 104 bytes (parser.trailerBytesMax), 0 bytes",
    "many trailers,      431, 5 lines (parser.trailerFieldsMax),  0 bytes",
    "declared content,   413, more than 108 bytes, after 0",
    "chunks,             413, more than 108 bytes, after [0-9]{3}",
    "slow head,          408, 109 ms (requestHeadTime), 7 bytes",
    "slow content,       408, 1000110 bytes per second (requestBytesPerSecondMin), 3 bytes",
  })
  void namesLimitValueAddressAndBytes(String what, int status, String limit, String bytes) {
    try (RawClient peer = victim.connect()) {
      peer.sendWhileOpen(Requests.bytes(request(what)));
      assertThat(peer.read().status()).isEqualTo(status);
      peer.expectClosed();
    }

    expectLine("rejected /127\\.0\\.0\\.1:[0-9]+ with " + status, limit, bytes);
  }

  @Test
  void namesTheRateAtWhichAResponseIsNotTaken() {
    try (RawClient peer = victim.connect(4096).get("/large")) {
      expectLine(
          "closed /127\\.0\\.0\\.1:[0-9]+,",
          "1000110 bytes per second (responseBytesPerSecondMin)",
          "[0-9]+ bytes");
      peer.expectClosed();
    }
  }

  @Test
  void namesTheLimitOfConnections() {
    victim.assertUnharmed();
    victim.close();
    victim =
        Victim.start(
            SMALL.toBuilder().connectionsMax(2).build(), new App()); // the neighbour is one of them
    try (RawClient admitted = victim.connect()) {
      assertThat(admitted.get("/").read().status()).isEqualTo(200);
      try (RawClient peer = victim.connect()) {
        assertThat(peer.read().status()).isEqualTo(503);
      }
    }
    expectLine(
        "rejected /127\\.0\\.0\\.1:[0-9]+ with 503",
        "more than 2 connections (connectionsMax)",
        "");
  }

  private static String request(String what) {
    return switch (what) {
      case "long line" -> "GET /" + "a".repeat(200) + " HTTP/1.1\r\nHost: a\r\n\r\n";
      case "long method" -> "A".repeat(200);
      case "empty lines" -> LINES + HEAD + "\r\n";
      case "large fields" -> HEAD + "X: " + "a".repeat(300) + "\r\n\r\n";
      case "many fields" -> HEAD + "A: b\r\n".repeat(5) + "\r\n";
      case "chunk extension" -> chunked("1;" + "a".repeat(200) + "\r\n");
      case "large trailers" -> chunked("0\r\nX: " + "a".repeat(200) + "\r\n\r\n");
      case "many trailers" -> chunked("0\r\n" + "A: b\r\n".repeat(8) + "\r\n");
      case "declared content" -> Requests.postHead("/read", 109);
      case "chunks" -> chunked("A\r\n0123456789\r\n".repeat(20));
      case "slow head" -> "GET / H";
      case "slow content" -> Requests.postHead("/read", 100) + "abc";
      default -> throw new AssertionError(what);
    };
  }

  private static String chunked(String chunks) {
    return "POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks;
  }

  /** Waits for a line that begins like that and has the limit and the bytes in it. */
  private void expectLine(String begin, String limit, String bytes) {
    List<String> lines = new ArrayList<>();
    String wanted = "(?s)" + begin + ".*";
    Await.until(
        () -> wanted + " is logged: " + lines,
        () -> {
          lines.addAll(victim.takeLines());
          return lines.stream().anyMatch(line -> line.matches(wanted));
        });
    assertThat(lines)
        .filteredOn(line -> line.matches(wanted))
        .singleElement()
        .asString()
        .contains(limit)
        .containsPattern(bytes);
  }
}
