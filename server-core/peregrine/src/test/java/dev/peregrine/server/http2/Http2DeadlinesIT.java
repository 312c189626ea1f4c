package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.Http2Response;
import dev.peregrine.testing.http2.Http2Windows;
import dev.peregrine.testing.http2.PlainHpack;
import dev.peregrine.testing.http2.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Clients that stop, or are too slow, at each point of a connection. Tests assert events, never
 * times: a busy stream beside a stalled one is the clock.
 */
final class Http2DeadlinesIT {
  private static final Duration SHORT = Duration.ofMillis(150);
  private static final Duration LONG = Duration.ofSeconds(2);
  private static final long PAUSE_NANOS = 1_000_000;

  @RegisterExtension final Servers servers = new Servers();

  private HttpServer start(ServerLimits limits) {
    return servers.start(Http2DeadlinesIT::handle, limits);
  }

  private static void handle(Request request, Response response) throws Exception {
    if (request.pathIs("/endless")) {
      Response ignored = response.async();
    } else {
      Site.handle(request, response);
    }
  }

  private static ServerLimits headTime() {
    return Servers.LIMITS.toBuilder().requestHeadTime(SHORT).build();
  }

  private static ServerLimits uploads() {
    return Servers.LIMITS.toBuilder()
        .requestBytesPerSecondMin(1000)
        .requestRateGrace(SHORT)
        .build();
  }

  private static ServerLimits downloads(int bytesPerSecondMin, Duration keepAliveTime) {
    return Servers.LIMITS.toBuilder()
        .responseBytesPerSecondMin(bytesPerSecondMin)
        .responseRateGrace(SHORT)
        .keepAliveTime(keepAliveTime)
        .build();
  }

  // ---- heads ----

  @Test
  void endsAConnectionThatSendsNoWholePreface() {
    HttpServer server = start(headTime());
    Http2Client client = servers.connectHttp2Silently(server);

    client.send(Arrays.copyOf(Http2Client.PREFACE, 18));

    client.readTextToEnd();
    servers.connectHttp2(server).expectServed();
  }

  @Test
  void endsAConnectionThatSendsNoSettings() {
    HttpServer server = start(headTime());
    Http2Client client = servers.connectHttp2Silently(server);

    client.send(Http2Client.PREFACE);

    client.readToEnd();
  }

  @Test
  void endsAConnectionThatDoesNotAcknowledgeSettings() {
    HttpServer server = start(headTime());
    Http2Client client = servers.connectHttp2Silently(server).withoutAcks();
    client.handshake();

    try {
      while (client.goaways().isEmpty() && client.next() != null) {
        client.sendWhileOpen(Http2Frame.ping(1).bytes()); // which the server answers
        LockSupport.parkNanos(50 * PAUSE_NANOS);
      }
    } finally {
      client.readToEnd();
    }
    assertThat(client.goaways().getLast().code()).isEqualTo(Http2Code.SETTINGS_TIMEOUT);
  }

  @Test
  void endsAConnectionWhoseHeaderBlockStops() {
    HttpServer server = start(headTime());
    Http2Client client = servers.connectHttp2(server);
    client.expectServed();
    byte[] block = PlainHpack.block(client.fields("GET", "/"));

    client.send(Http2Frame.headersBegin(client.nextStream("GET"), block, true));

    client.expectGoaway(Http2Code.ENHANCE_YOUR_CALM);
  }

  @Test
  void endsAConnectionWhoseFrameStops() {
    HttpServer server = start(headTime());
    Http2Client client = servers.connectHttp2(server);
    client.expectServed();
    byte[] block = PlainHpack.block(client.fields("GET", "/"));
    byte[] frame = Http2Frame.headers(client.nextStream("GET"), block, true).bytes();

    client.send(Arrays.copyOf(frame, frame.length - 1));

    client.expectGoaway(Http2Code.ENHANCE_YOUR_CALM);
  }

  @Test
  void endsAConnectionWhoseHeaderBlockDrips() {
    HttpServer server = start(headTime());
    Http2Client client = servers.connectHttp2(server);
    int stream = client.nextStream("GET");
    client.send(Http2Frame.headersBegin(stream, new byte[0], true));

    drip(client, stream);

    client.expectGoaway(Http2Code.ENHANCE_YOUR_CALM);
  }

  @Test
  void endsAConnectionWhoseTrailersDrip() {
    HttpServer server = start(headTime());
    Http2Client client = servers.connectHttp2(server);
    int stream = client.begin("POST", "/whole");
    client.send(Http2Frame.data(stream, Requests.bytes("abc"), false));
    client.send(Http2Frame.headersBegin(stream, new byte[0], true));

    drip(client, stream);

    client.expectGoaway(Http2Code.ENHANCE_YOUR_CALM);
  }

  /** Sends a block byte by byte, slowly enough not to count as a flood. */
  private static void drip(Http2Client client, int stream) {
    byte[] name = PlainHpack.literal("x", "y".repeat(100));
    for (int i = 0; i < name.length && !client.hasMore(); i++) {
      client.sendWhileOpen(Http2Frame.continuation(stream, new byte[] {name[i]}, false).bytes());
      LockSupport.parkNanos(50 * PAUSE_NANOS);
    }
  }

  // ---- idle connections ----

  @Test
  void closesAConnectionWithoutStreams() {
    HttpServer server = start(Servers.LIMITS.toBuilder().keepAliveTime(SHORT).build());
    Http2Client client = servers.connectHttp2(server);

    client.expectGoaway(Http2Code.NO_ERROR);
  }

  @Test
  void keepsAConnectionWhoseHandlerTakesItsTime() {
    HttpServer server = start(Servers.LIMITS.toBuilder().keepAliveTime(SHORT).build());
    Http2Client held = servers.connectHttp2(server);
    int stream = held.request("GET", "/endless");
    held.roundTrip();
    Http2Client idle = servers.connectHttp2(server);

    idle.expectGoaway(Http2Code.NO_ERROR);

    held.roundTrip();
    assertThat(held.response(stream).isOver()).isFalse();
    held.reset(stream, Http2Code.CANCEL);
    held.expectGoaway(Http2Code.NO_ERROR);
  }

  // ---- streams ----

  @Test
  void endsAStalledUploadAlone() {
    HttpServer server = start(uploads());
    Http2Client client = servers.connectHttp2(server);
    int stalled = client.begin("POST", "/whole", new Field("content-length", "100000"));
    client.send(Http2Frame.data(stalled, Requests.content(10), false));
    int busy = client.begin("POST", "/echo");

    while (!client.response(stalled).isOver()) {
      client.content(busy, Requests.content(2000), false);
      client.pumpUntil(() -> client.response(busy).content().length > 0);
      client.get("/");
    }

    Http2Response response = client.response(stalled);
    assertThat(response.status() == 408 || response.resetCode() != null).isTrue();
    client.content(busy, new byte[0], true);
    assertThat(client.await(busy).isComplete()).isTrue();
    client.expectServed();
  }

  @Test
  void endsAllStalledUploads() {
    Http2Client client = servers.connectHttp2(start(uploads()));
    List<Integer> stalled = new ArrayList<>();
    for (int i = 0; i < 99; i++) {
      stalled.add(client.begin("POST", "/whole", new Field("content-length", "100000")));
    }

    for (int stream : stalled) {
      client.pumpUntil(() -> client.response(stream).isOver());
    }

    client.expectServed();
  }

  @Test
  void endsAStreamWithoutAWindowAlone() {
    HttpServer server = start(downloads(1000, LONG));
    Http2Client client = servers.connectHttp2(server);
    client.withoutCredit().declare(Http2Frame.INITIAL_WINDOW_SIZE, 10);
    int stalled = client.request("GET", "/large");

    while (!client.response(stalled).isOver()) {
      assertThat(client.get("/").text()).isEqualTo("hello");
      client.grant(0, 5);
    }

    assertThat(client.response(stalled).resetCode()).isNotNull();
    client.expectServed();
  }

  @Test
  void endsStreamsWhenTheConnectionHasNoWindow() {
    HttpServer server = start(downloads(10_000_000, LONG));
    Http2Client client = servers.connectHttp2(server).withoutCredit();
    client.declare(Http2Frame.INITIAL_WINDOW_SIZE, Integer.MAX_VALUE);
    int first = client.request("GET", "/large");
    int second = client.request("GET", "/large");

    client.pumpUntil(() -> client.response(first).isOver() && client.response(second).isOver());

    assertThat(client.response(first).resetCode()).isEqualTo(Http2Code.CANCEL);
    assertThat(client.response(second).resetCode()).isEqualTo(Http2Code.CANCEL);
    client.grant(0, Http2Windows.DEFAULT).expectServed();
  }

  @Test
  void waitsForAStreamBehindAMoreUrgentOne() {
    HttpServer server = start(downloads(1000, LONG));
    Http2Client client = servers.connectHttp2(server).withoutCredit();
    client.declare(Http2Frame.INITIAL_WINDOW_SIZE, 10);
    int urgent = client.request("GET", "/large", new Field("priority", "u=0"));
    int waiting = client.request("GET", "/large", new Field("priority", "u=7"));
    int stalled = client.request("GET", "/large", new Field("priority", "u=7"));
    client.grant(urgent, Integer.MAX_VALUE / 2).grant(waiting, Integer.MAX_VALUE / 2);

    IntSupplier taken =
        () -> client.response(urgent).content().length + client.response(waiting).content().length;
    while (!client.response(stalled).isOver()) {
      int next = taken.getAsInt() + 100;
      client.grant(0, 100);
      client.pumpUntil(() -> taken.getAsInt() >= next || client.response(stalled).isOver());
    }

    client.grant(0, 2 * Site.LARGE.length);
    assertThat(client.await(urgent).content()).isEqualTo(Site.LARGE);
    assertThat(client.await(waiting).content()).isEqualTo(Site.LARGE);
  }

  @Test
  void endsAConnectionThatNeverReads() {
    HttpServer server = start(downloads(10_000_000, LONG));
    Http2Client client = servers.connectHttp2(server).withoutCredit();
    client.declare(Http2Frame.INITIAL_WINDOW_SIZE, Integer.MAX_VALUE);
    client.grant(0, Integer.MAX_VALUE - 65_535);
    for (int i = 0; i < 50; i++) {
      client.request("GET", "/large");
    }

    Await.until("the connection is closed", () -> server.connectionCount() == 0);
  }

  @Test
  void endsAConnectionWithoutAWindowOfItsOwn() {
    HttpServer server = start(downloads(10_000_000, SHORT));
    Http2Client client = servers.connectHttp2(server).withoutCredit();
    int stream = client.request("GET", "/large");

    client.readToEnd();

    assertThat(client.response(stream).isComplete()).isFalse();
  }
}
