package dev.peregrine.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Row T40 and others: clients that reset their connection in every state that it can be in. */
final class ResetIT {
  private static final int CLIENTS = 20;
  private static final String CHUNKED =
      "POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

  /** The state in which a client resets its connection. */
  enum Stage {
    CONNECTED(""),
    IN_EMPTY_LINE("\r"),
    IN_REQUEST_LINE("GET / HT"),
    IN_FIELDS("GET / HTTP/1.1\r\nHost: a\r\nX: "),
    AWAITING_CONTINUE(
        "POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"),
    IN_CONTENT(Requests.postHead("/read", 1000) + "part"),
    IN_CONTENT_READ_BLOCKING(Requests.postHead("/blocking-read", 1000) + "part"),
    IN_UNWANTED_CONTENT(Requests.postHead("/drop", 1000) + "part"),
    IN_CONTENT_OF_HELD(Requests.postHead("/held", 1000) + "part"),
    IN_CHUNK_SIZE(CHUNKED + "1"),
    IN_CHUNK(CHUNKED + "A\r\nabc"),
    IN_CHUNK_EXTENSION(CHUNKED + "A;b=\""),
    IN_TRAILERS(CHUNKED + "0\r\nX: "),
    HELD("GET /held HTTP/1.1\r\nHost: a\r\n\r\n"),
    HELD_WITH_MORE("GET /held HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    ANSWERED("GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    IN_RESPONSE("GET /large HTTP/1.1\r\nHost: a\r\n\r\n"),
    IN_LAST_RESPONSE("GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
    IN_STREAM("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n"),
    IN_STREAM_WRITTEN_BLOCKING("GET /blocking-write HTTP/1.1\r\nHost: a\r\n\r\n"),
    IN_PIPELINE("GET /large HTTP/1.1\r\nHost: a\r\n\r\n".repeat(50)),
    REFUSED("NONSENSE\r\n\r\n"),
    IN_TUNNEL(
        "GET /upgrade HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\nbytes");

    private final String bytes;

    Stage(String bytes) {
      this.bytes = bytes;
    }
  }

  private final Victim victim =
      Victim.start(Servers.LIMITS.toBuilder().lingerTime(Duration.ofMinutes(1)).build(), new App());

  @AfterEach
  void isUnharmed() {
    victim.assertUnharmed();
    victim.close();
  }

  @ParameterizedTest
  @EnumSource(Stage.class)
  void releasesEverythingAtReset(Stage stage) {
    List<RawClient> peers = connectAll(stage);
    peers.forEach(RawClient::reset);
    victim.settle();
    victim.release();
  }

  /** Row T40. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void releasesEverythingAtResetAfterHalfClose(Stage stage) {
    List<RawClient> peers = connectAll(stage);
    peers.forEach(RawClient::halfClose);
    victim.settle();
    peers.forEach(RawClient::reset);
    victim.settle();
    victim.release();
  }

  @ParameterizedTest
  @EnumSource(Stage.class)
  void releasesEverythingAtClose(Stage stage) {
    List<RawClient> peers = connectAll(stage);
    peers.forEach(RawClient::close);
    victim.settle();
    victim.release();
  }

  private List<RawClient> connectAll(Stage stage) {
    List<RawClient> peers = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      peers.add(victim.connect(4096).send(stage.bytes));
    }
    victim.settle();
    return peers;
  }

  /** A client that has ended its side still gets the response to what it asked before. */
  @Test
  void answersClientThatHasHalfClosed() {
    try (RawClient peer = victim.connect()) {
      peer.get("/held").halfClose();
      Await.until("the request is there", () -> victim.seen.contains("/held"));
      victim.settle();
      victim.release();
      assertThat(peer.read().text()).isEqualTo("late");
      peer.expectEnd();
    }
  }
}
