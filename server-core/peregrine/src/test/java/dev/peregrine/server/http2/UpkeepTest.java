package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.http2.Http2Frame;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** PINGs of both sides and the ages of connections, by a clock that only the test moves. */
final class UpkeepTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int PING_ACK = 1;

  private static final ServerLimits LIMITS =
      ServerLimits.builder()
          .keepAliveTime(Duration.ofDays(1))
          .responseBeginTime(Duration.ZERO)
          .build();

  @RegisterExtension final ScriptedHttp2 client = new ScriptedHttp2(LIMITS, UpkeepTest::handle);

  private static void handle(Request request, Response response) {
    if (request.pathIs("/wait")) {
      Response ignored = response.async();
    } else {
      response.text("content");
    }
  }

  private void open(UpkeepRules rules) {
    Http2Connection ignored = client.open(rules, Http2Frame.settings(), Http2Frame.settingsAck());
    assertThat(newFrames()).extracting(Http2Frame::type).contains(Http2Frame.SETTINGS);
  }

  private List<Http2Frame> newFrames() {
    return client.newFrames();
  }

  private Http2Frame onlyFrame() {
    List<Http2Frame> frames = newFrames();
    assertThat(frames).hasSize(1);
    return frames.getFirst();
  }

  private static Http2Frame answerTo(Http2Frame ping) {
    return ping.withFlags(Http2Frame.ACK);
  }

  private static Http2Frame clientPing() {
    return Http2Frame.ping(7);
  }

  // ---- PINGs of the server ----

  @Test
  void sendsAPingAfterSilenceOnly() {
    open(UpkeepRules.NONE.withPings(MINUTE, SECOND.multipliedBy(20)));

    client.pass(MINUTE.minus(SECOND));
    assertThat(newFrames()).isEmpty();
    client.pass(SECOND);
    Http2Frame ping = onlyFrame();
    assertThat(ping.type()).isEqualTo(Http2Frame.PING);

    client.pass(SECOND.multipliedBy(19));
    client.receive(answerTo(ping));
    client.pass(MINUTE.minus(SECOND));
    assertThat(newFrames()).isEmpty();
    client.pass(SECOND);
    assertThat(onlyFrame().type()).isEqualTo(Http2Frame.PING);
    assertThat(client.isClosed()).isFalse();
  }

  @Test
  void sendsNoPingWhileTheClientSends() {
    open(UpkeepRules.NONE.withPings(MINUTE, SECOND));

    for (int i = 0; i < 5; i++) {
      client.pass(MINUTE.minus(SECOND));
      client.receive(clientPing());
      assertThat(onlyFrame().flags()).isEqualTo(PING_ACK);
    }
  }

  @Test
  void takesAnyFrameForAnAnswer() {
    open(UpkeepRules.NONE.withPings(MINUTE, SECOND.multipliedBy(20)));
    client.pass(MINUTE);
    assertThat(onlyFrame().type()).isEqualTo(Http2Frame.PING);

    client.pass(SECOND.multipliedBy(19));
    client.receive(clientPing());
    client.pass(SECOND.multipliedBy(2));

    assertThat(client.isClosed()).isFalse();
  }

  @Test
  void resetsAConnectionWithoutAnAnswer() {
    open(UpkeepRules.NONE.withPings(MINUTE, SECOND.multipliedBy(20)));
    client.request(1, "/wait");
    client.pass(MINUTE);
    client.pass(SECOND.multipliedBy(19));
    assertThat(client.isClosed()).isFalse();

    client.pass(SECOND);

    assertThat(client.wasReset()).isTrue();
    client.log().expectOne(Level.INFO, "no answer to a PING");
  }

  // ---- PINGs of clients ----

  @Test
  void permitsPingsAtTheInterval() {
    open(UpkeepRules.NONE.withClientPings(MINUTE, true));

    for (int i = 0; i < 10; i++) {
      client.receive(clientPing());
      assertThat(onlyFrame().flags()).isEqualTo(PING_ACK);
      client.pass(MINUTE);
    }
  }

  @Test
  void endsAConnectionAtTheThirdEarlyPing() {
    open(UpkeepRules.NONE.withClientPings(MINUTE, true));
    client.receive(clientPing());
    for (int i = 0; i < 2; i++) {
      client.pass(MINUTE.minus(SECOND).dividedBy(3));
      client.receive(clientPing());
    }
    assertThat(newFrames()).hasSize(3).allMatch(frame -> frame.type() == Http2Frame.PING);

    client.receive(clientPing());

    Http2Frame last = newFrames().getLast();
    assertThat(last.type()).isEqualTo(Http2Frame.GOAWAY);
    assertThat(last.intAt(1)).isEqualTo(0xb); // ENHANCE_YOUR_CALM
    assertThat(last.debug()).isEqualTo("too_many_pings");
    client.log().expectOne(Level.INFO, "too many PINGs");
  }

  @Test
  void forgetsEarlyPingsWhenTheClientSendsARequest() {
    open(UpkeepRules.NONE.withClientPings(MINUTE, true));

    for (int i = 0; i < 5; i++) {
      for (int ping = 0; ping < 3; ping++) {
        client.receive(clientPing());
      }
      client.request(1 + 2 * i, "/");
    }

    assertThat(newFrames()).noneMatch(frame -> frame.type() == Http2Frame.GOAWAY);
  }

  @Test
  void permitsFewPingsWithoutARequest() {
    open(UpkeepRules.NONE.withClientPings(MINUTE, false));
    for (int i = 0; i < 3; i++) {
      client.receive(clientPing());
      client.pass(MINUTE);
    }
    assertThat(newFrames()).hasSize(3);

    client.receive(clientPing());

    assertThat(newFrames().getLast().type()).isEqualTo(Http2Frame.GOAWAY);
    client.log().expectOne(Level.INFO, "too many PINGs");
  }

  @Test
  void permitsPingsWhileARequestWaits() {
    open(UpkeepRules.NONE.withClientPings(MINUTE, false));
    client.request(1, "/wait");

    for (int i = 0; i < 10; i++) {
      client.receive(clientPing());
      assertThat(onlyFrame().flags()).isEqualTo(PING_ACK);
      client.pass(MINUTE);
    }
  }

  // ---- ages ----

  @Test
  void drainsAConnectionAtItsAge() {
    open(UpkeepRules.NONE.withAge(MINUTE, MINUTE));
    client.pass(SECOND.multipliedBy(53));
    assertThat(newFrames()).isEmpty();
    client.pass(SECOND.multipliedBy(14));

    assertThat(newFrames())
        .extracting(Http2Frame::type)
        .containsExactly(Http2Frame.GOAWAY, Http2Frame.PING, Http2Frame.GOAWAY);
    assertThat(client.isClosed()).isTrue();
  }

  @Test
  void endsOldConnectionsAtDifferentTimes() {
    open(UpkeepRules.NONE.withAge(MINUTE, MINUTE));
    assertThat(List.of(0.0, 0.5, 1.0).stream().map(UpkeepTest::ageOf).toList())
        .containsExactly(54L, 60L, 66L);
  }

  private static long ageOf(double jitter) {
    return Duration.ofNanos(Upkeep.ageNanos(MINUTE.toNanos(), jitter)).toSeconds();
  }

  @Test
  void letsRequestsEndInTheGraceOfAnOldConnection() {
    open(UpkeepRules.NONE.withAge(MINUTE, MINUTE));
    client.request(1, "/wait");
    client.pass(SECOND.multipliedBy(67));
    assertThat(newFrames().getFirst().type()).isEqualTo(Http2Frame.GOAWAY);

    client.pass(SECOND.multipliedBy(46));
    assertThat(client.isClosed()).isFalse();
    client.pass(SECOND.multipliedBy(14));

    assertThat(client.isClosed()).isTrue();
  }

  @Test
  void checksTimes() {
    Http2 http2 = Http2.create();
    assertThatThrownBy(() -> http2.withPings(Duration.ZERO, SECOND))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("silence");
    assertThatThrownBy(() -> http2.withAge(SECOND, SECOND.negated()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("grace");
    assertThatThrownBy(() -> http2.withClientPings(Duration.ZERO, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("interval");
  }
}
