package dev.peregrine.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rows T1 to T17, T41 and T45: each request gets one error response, the connection closes, and the
 * bytes after it are never read as a request, however the bytes are cut.
 */
final class MalformedRequestIT {
  private static final String MARKER = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

  @SuppressWarnings("NullAway.Init")
  private static Victim victim;

  @BeforeAll
  static void start() {
    // Smaller than the content that the huge chunks begin with.
    ServerLimits limits = Servers.LIMITS.toBuilder().bodyBytesMax(1000).build();
    victim = Victim.start(limits, MalformedRequestIT::handle);
  }

  @AfterAll
  static void isUnharmed() {
    victim.assertUnharmed();
    victim.close();
  }

  private static void handle(Request request, Response response) {
    if (request.pathIs("/read")) {
      request
          .body()
          .receiveAll(
              1000, content -> response.text(new String(content, StandardCharsets.ISO_8859_1)));
    } else {
      response.text("ok");
    }
  }

  static Stream<Malformed> all() {
    return Stream.of(
            Malformed.chunks(), Malformed.hugeChunks(), Malformed.framings(), Malformed.heads())
        .flatMap(List::stream);
  }

  static Stream<Malformed> chunks() {
    return Malformed.chunks().stream();
  }

  static Stream<Malformed> framed() {
    return Stream.of(Malformed.chunks(), Malformed.hugeChunks(), Malformed.framings())
        .flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("all")
  void answersOneErrorAndCloses(Malformed request) {
    victim.seen.clear();
    try (RawClient peer = victim.connect()) {
      peer.sendWhileOpen(Requests.bytes(request.bytes() + MARKER));
      assertRefused(peer, request);
    }
  }

  @ParameterizedTest
  @MethodSource("chunks")
  void closesEvenIfTheHandlerDoesNotReadTheContent(Malformed request) {
    victim.seen.clear();
    try (RawClient peer = victim.connect()) {
      peer.sendWhileOpen(Requests.bytes(request.bytes().replace("/read", "/drop") + MARKER));
      assertThat(peer.read().status()).isEqualTo(200);
      peer.expectEnd();
    }
    assertThat(victim.seen).containsExactly("/drop");
  }

  /** Row T3. */
  @ParameterizedTest
  @MethodSource("framed")
  void answersTheSameWhereverTheBytesAreCut(Malformed request) {
    int length = Math.min(request.bytes().length(), 200);
    for (int cut = 1; cut < length; cut++) {
      victim.seen.clear();
      try (RawClient peer = victim.connect()) {
        peer.send(request.bytes().substring(0, cut));
        victim.settle();
        peer.sendWhileOpen(Requests.bytes(request.bytes().substring(cut) + MARKER));
        assertRefused(peer, request);
      }
    }
  }

  private static void assertRefused(RawClient peer, Malformed request) {
    RawResponse answer = peer.read();
    if (request.row().equals("T9")) {
      assertThat(answer.status()).isIn(400, 501); // an unknown coding or a malformed one
    } else {
      assertThat(answer.status()).isEqualTo(request.status());
    }
    assertThat(answer.saysClose()).isTrue();
    peer.expectEnd();
    assertThat(victim.seen).doesNotContain("/smuggled");
  }

  /** Row T41: one documented meaning; nothing is decoded, resolved or merged. */
  @Test
  void passesOnAmbiguousPathsUnchanged() {
    victim.seen.clear();
    List<String> paths =
        List.of(
            "/a/%2e%2e/b", "/a/../b", "//a//b", "/a;p=1/b", "/%C0%AF", "/%00", "/%0d%0a", "/a%2Fb");
    try (RawClient peer = victim.connect()) {
      for (String path : paths) {
        assertThat(peer.get(path).read().status()).isEqualTo(200);
      }
    }
    assertThat(victim.seen).containsExactlyElementsOf(paths);
  }
}
