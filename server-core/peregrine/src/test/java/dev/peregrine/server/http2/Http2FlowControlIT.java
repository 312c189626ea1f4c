package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.Http2Response;
import dev.peregrine.testing.http2.PlainHpack;
import dev.peregrine.testing.http2.Site;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flow control in both directions, against the client's model of all windows. */
final class Http2FlowControlIT {
  private static final int WINDOW_MAX = Integer.MAX_VALUE;
  private static final int HELD_BYTES_MAX = 4 << 20;
  private static final int CONVERSATION = 3 << 20; // bytes, of many windows

  @RegisterExtension final Servers servers = new Servers();

  private HttpServer server;
  private Http2Client client;
  private Http2Client neighbour;

  @BeforeEach
  void start() {
    server =
        servers.start(
            Http2FlowControlIT::handle,
            options -> options.limits(Servers.LIMITS.toBuilder().bodyBytesMax(8 << 20).build()));
    neighbour = servers.connectHttp2(server);
    client = servers.connectHttp2(server);
  }

  private static void handle(Request request, Response response) throws Exception {
    switch (request.path()) {
      case "/unread" -> {
        Response held = response.async();
        assertThat(held.isCommitted()).isFalse();
      }
      case "/conversation" -> {
        ResponseStream out = response.async().stream();
        request.body().openEnded().receiveAll(CONVERSATION, all -> out.complete());
        out.write(Site.LARGE).flush();
      }
      case "/limited" -> {
        response.stream().write(Site.LARGE).flush();
        response.fail(new HttpException(429, "the client takes too little"));
      }
      default -> Site.handle(request, response);
    }
  }

  @AfterEach
  void servesTheNeighbour() {
    neighbour.expectServed();
  }

  // ---- what the server sends ----

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 1000, 16_385, 65_535, 1 << 20, WINDOW_MAX})
  void keepsWithinAWindow(int window) {
    client.declare(Http2Frame.INITIAL_WINDOW_SIZE, window);

    assertThat(client.get("/").text()).isEqualTo("hello");
    if (window >= 1000) {
      assertThat(client.get("/large").content()).isEqualTo(Site.LARGE);
    }
  }

  @Test
  void sendsAHeadBeforeAWindowOpens() {
    client.withoutCredit().declare(Http2Frame.INITIAL_WINDOW_SIZE, 0);
    int stream = client.request("GET", "/");

    assertThat(client.awaitHead(stream).status()).isEqualTo(200);
    client.roundTrip().roundTrip();
    assertThat(client.response(stream).content()).isEmpty();

    client.grant(stream, 2);
    client.pumpUntil(() -> client.response(stream).text().equals("he"));
    client.grant(stream, 3);
    assertThat(client.await(stream).text()).isEqualTo("hello");
  }

  @Test
  void needsNoWindowForResponsesWithoutContent() {
    client.declare(Http2Frame.INITIAL_WINDOW_SIZE, 0);

    Http2Response response = client.await(client.request("HEAD", "/large"));

    assertThat(response.isComplete()).isTrue();
  }

  @Test
  void waitsWhileAWindowIsNegative() {
    client.withoutCredit().declare(Http2Frame.INITIAL_WINDOW_SIZE, 100);
    int stream = client.request("GET", "/large");
    client.pumpUntil(() -> client.response(stream).content().length == 100);

    client.declare(Http2Frame.INITIAL_WINDOW_SIZE, 0);
    client.grant(stream, 100).roundTrip().roundTrip();
    assertThat(client.response(stream).content()).hasSize(100);

    client.grant(stream, 50);
    client.pumpUntil(() -> client.response(stream).content().length == 150);

    client.declare(Http2Frame.INITIAL_WINDOW_SIZE, 70);
    client.pumpUntil(() -> client.response(stream).content().length == 220);
  }

  @Test
  void waitsForTheWindowOfTheConnection() {
    client.withoutCredit().declare(Http2Frame.INITIAL_WINDOW_SIZE, WINDOW_MAX);
    int first = client.request("GET", "/large");
    client.pumpUntil(() -> client.windows().fromServer(0) == 0);
    int second = client.request("GET", "/");
    assertThat(client.awaitHead(second).status()).isEqualTo(200);

    client.grant(0, 2 << 20);

    assertThat(client.await(second).text()).isEqualTo("hello");
    assertThat(client.await(first).content()).isEqualTo(Site.LARGE);
  }

  @Test
  void dropsWhatWaitsForAClientThatIsLimited() {
    client.withoutCredit().declare(Http2Frame.INITIAL_WINDOW_SIZE, 10);
    int stream = client.request("GET", "/limited");

    client.expectReset(stream, Http2Code.ENHANCE_YOUR_CALM);

    client.expectServed();
  }

  /** Its client doesn't take the response before it has sent everything. */
  @Test
  void takesAConversationWhileItsResponseWaits() {
    client.withoutCredit().declare(Http2Frame.INITIAL_WINDOW_SIZE, 10);
    int stream = client.begin("POST", "/conversation");
    client.pumpUntil(() -> client.response(stream).content().length == 10);

    client.content(stream, Requests.content(CONVERSATION), true);

    client.grant(0, Site.LARGE.length).grant(stream, Site.LARGE.length);
    assertThat(client.await(stream).content()).isEqualTo(Site.LARGE);
  }

  @Test
  void sendsOnOtherStreamsWhileOneIsHeld() {
    client.withoutCredit().declare(Http2Frame.INITIAL_WINDOW_SIZE, 10);
    int held = client.request("GET", "/large");
    client.pumpUntil(() -> client.response(held).content().length == 10);

    for (int i = 0; i < 200; i++) {
      assertThat(client.get("/").text()).isEqualTo("hello");
    }

    assertThat(client.response(held).content()).hasSize(10);
  }

  /** The end arrives while as much waits for the client as may wait. */
  @ParameterizedTest
  @ValueSource(strings = {"/echo", "/blocking"})
  void endsAnEchoWhoseEndArrivedBeforeTheWindowOpened(String path) {
    client.withoutCredit().declare(Http2Frame.INITIAL_WINDOW_SIZE, 0);
    int stream = client.begin("POST", path);
    client.content(stream, Requests.content(65_000), false);
    client.content(stream, Requests.content(1_000), true).roundTrip();

    client.declare(Http2Frame.INITIAL_WINDOW_SIZE, 1 << 20).grant(0, 1 << 20);

    assertThat(client.await(stream).content()).hasSize(66_000);
  }

  @Test
  void holdsLittleForManyStreamsWithoutAWindow() {
    client.withoutCredit().declare(Http2Frame.INITIAL_WINDOW_SIZE, 0);
    int last = 0;
    for (int i = 0; i < 90; i++) {
      int stream = client.begin("POST", "/echo");
      client.send(Http2Frame.data(stream, Requests.content(700), false));
      last = stream;
    }
    client.roundTrip();

    assertThat(client.response(last).isOver()).isFalse();
    assertThat(server.bufferBytesInUse()).isLessThan(HELD_BYTES_MAX);
  }

  @Test
  void sendsBytesOfAllStreamsFairly() {
    client.declare(Http2Frame.INITIAL_WINDOW_SIZE, WINDOW_MAX).grant(0, WINDOW_MAX - 65_535);
    int large = client.nextStream("GET");
    int small = client.nextStream("GET");
    client.send(
        Http2Frame.headers(large, PlainHpack.block(client.fields("GET", "/large")), true),
        Http2Frame.headers(small, PlainHpack.block(client.fields("GET", "/")), true));

    client.await(small);

    assertThat(client.response(large).isOver()).isFalse();
    client.await(large);
  }

  // ---- what the client sends ----

  @ParameterizedTest
  @ValueSource(strings = {"/echo", "/whole", "/blocking"})
  void takesContentOfManyWindows(String path) {
    byte[] content = Requests.content(5_000_000);

    assertThat(client.post(path, content).content()).isEqualTo(content);
  }

  @Test
  void creditsPadding() {
    byte[] content = Requests.content(2_000_000);
    SplittableRandom random = new SplittableRandom(1);
    int stream = client.begin("POST", "/echo");
    int from = 0;
    while (from < content.length) {
      int padding = random.nextInt(256);
      int part = Math.min(random.nextInt(255, 4000), content.length - from);
      client.pumpUntil(() -> client.windows().sendable(stream) > part + padding);
      byte[] bytes = Arrays.copyOfRange(content, from, from + part);
      from += part;
      client.send(Http2Frame.data(stream, bytes, from == content.length).padded(padding));
    }

    assertThat(client.await(stream).content()).isEqualTo(content);
    expectTheWindowOfTheConnection();
  }

  @Test
  void creditsContentThatNoHandlerReads() {
    for (int i = 0; i < 100; i++) {
      assertThat(client.post("/ignore", Requests.content(50_000)).status()).isEqualTo(200);
    }
    expectTheWindowOfTheConnection();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/unread", "/echo", "/whole", "/blocking"})
  void creditsContentOfStreamsThatTheClientResets(String path) {
    for (int i = 0; i < 100; i++) {
      int stream = client.begin("POST", path);
      client.content(stream, Requests.content(50_000), false).reset(stream, Http2Code.CANCEL);
      client.roundTrip();
      client.get("/");
    }
    expectTheWindowOfTheConnection();
  }

  @Test
  void creditsContentOfStreamsThatTheServerResets() {
    for (int i = 0; i < 100; i++) {
      int stream = client.begin("POST", "/echo", new Field("content-length", "10"));
      for (int part = 0; part < 5; part++) {
        client.pumpUntil(() -> client.windows().toServer(0) >= 10_000);
        client.send(Http2Frame.data(stream, Requests.content(10_000), part == 4));
      }
      client.expectReset(stream, Http2Code.PROTOCOL_ERROR);
      client.get("/").isComplete();
      for (int served = 0; served < 20; served++) {
        client.get("/");
      }
    }
    expectTheWindowOfTheConnection();
  }

  @Test
  void creditsContentAboveTheLimit() {
    byte[] content = Requests.content(9 << 20);
    for (int i = 0; i < 3; i++) {
      assertThat(client.post("/whole", content).status()).isEqualTo(413);
    }
    expectTheWindowOfTheConnection();
  }

  @Test
  void stopsAClientWhoseContentIsNotRead() {
    int stream = client.begin("POST", "/unread");
    client.roundTrip();
    long window = client.windows().sendable(stream);
    client.content(stream, Requests.content((int) window), false).roundTrip();

    assertThat(client.windows().sendable(stream)).isLessThan(window);
    int other = client.begin("POST", "/echo");
    client.content(other, Requests.content(5), true);
    assertThat(client.await(other).content()).hasSize(5);
    client.reset(stream, Http2Code.CANCEL).roundTrip();
  }

  @Test
  void resetsAStreamWithContentBeyondItsWindow() {
    int stream = client.begin("POST", "/unread");
    client.roundTrip();
    byte[] piece = Requests.content(16_384);
    while (client.windows().toServer(stream) >= 0) {
      client.send(Http2Frame.data(stream, piece, false));
    }
    assertThat(client.windows().toServer(0)).isNotNegative();
    client.expectReset(stream, Http2Code.FLOW_CONTROL_ERROR);
    client.expectServed();
  }

  // ---- WINDOW_UPDATE ----

  @Test
  void resetsAStreamWhoseWindowOverflows() {
    int stream = client.begin("POST", "/echo");

    client.send(Http2Frame.windowUpdate(stream, WINDOW_MAX));

    client.expectReset(stream, Http2Code.FLOW_CONTROL_ERROR);
    client.expectServed();
  }

  @Test
  void resetsAStreamWhoseWindowGrowsByNothing() {
    int stream = client.begin("POST", "/echo");

    client.send(Http2Frame.windowUpdate(stream, 0));

    client.expectReset(stream, Http2Code.PROTOCOL_ERROR);
    client.expectServed();
  }

  @Test
  void closesAConnectionWhoseWindowOverflows() {
    client.send(Http2Frame.windowUpdate(0, WINDOW_MAX - 65_535)).roundTrip();

    client.send(Http2Frame.windowUpdate(0, 1));

    client.expectGoaway(Http2Code.FLOW_CONTROL_ERROR);
  }

  @Test
  void closesAConnectionWhoseWindowGrowsByNothing() {
    client.send(Http2Frame.windowUpdate(0, 0));

    client.expectGoaway(Http2Code.PROTOCOL_ERROR);
  }

  @Test
  void closesAConnectionWhoseSettingsOverflowAWindow() {
    int stream = client.begin("POST", "/echo");
    client.grant(stream, WINDOW_MAX - 65_535).roundTrip();

    client.send(Http2Frame.settings(Http2Frame.INITIAL_WINDOW_SIZE, 65_536));

    client.expectGoaway(Http2Code.FLOW_CONTROL_ERROR);
  }

  @Test
  void takesWindowUpdatesOfStreamsThatHaveEnded() {
    Http2Response response = client.get("/");

    client.send(Http2Frame.windowUpdate(response.stream(), 1)).roundTrip();

    client.expectServed();
  }

  /** Fails if bytes of the connection's window were lost: what was sent was many times as much. */
  private void expectTheWindowOfTheConnection() {
    client.roundTrip();
    client.pumpUntil(() -> client.windows().toServer(0) >= 65_535 / 2);
    byte[] content = Requests.content(300_000);
    assertThat(client.post("/echo", content).content()).isEqualTo(content);
  }
}
