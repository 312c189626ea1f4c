package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.HangingHandler;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.Http2Response;
import dev.peregrine.testing.http2.PlainHpack;
import dev.peregrine.testing.http2.Site;
import dev.peregrine.testing.http2.WaitingSite;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of streams: their numbers, their limit, resets by either side, and late frames. */
final class Http2StreamsIT {
  private static final int STREAMS_MAX = 100;
  private static final Duration HOUR = Duration.ofHours(1);

  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final WaitingSite site = new WaitingSite();
  private final Handler reading = Handlers.blocking(this::read);
  private final Handler writing = Handlers.blocking(this::write);
  private final HangingHandler hanging = new HangingHandler();
  private Http2Client client;
  private Http2Client neighbour;

  @BeforeEach
  void start() {
    HttpServer server = servers.start(this::handle);
    neighbour = servers.connectHttp2(server);
    client = servers.connectHttp2(server);
  }

  private void handle(Request request, Response response) throws Exception {
    switch (request.path()) {
      case "/read" -> reading.handle(request, response);
      case "/write" -> writing.handle(request, response);
      case "/hang" -> hanging.handle(request, response);
      case "/poll" -> {
        CompletableFuture<String> news = new CompletableFuture<>();
        response.async(() -> news.thenAccept(response::text));
        response.onClientClosed(() -> news.complete("closed by the client"));
      }
      case "/cut" -> {
        ResponseStream out = response.stream();
        out.write(Requests.bytes("part")).flush();
        response.fail(new IOException("cut by the test"));
      }
      default -> site.handle(request, response);
    }
  }

  private void read(Request request, Response response) {
    InputStream content = request.body().inputStream(); // throws once the exchange has ended
    events.add("reads");
    try {
      long count = content.transferTo(OutputStream.nullOutputStream());
      events.add("read " + count);
      response.text("" + count);
    } catch (IOException failed) {
      events.add("failed");
    }
  }

  private void write(Request request, Response response) {
    events.add("writes");
    try (OutputStream out = response.outputStream()) {
      while (true) {
        out.write(Site.LARGE);
      }
    } catch (IOException failed) {
      events.add("failed");
    }
  }

  @AfterEach
  void servesTheNeighbour() {
    neighbour.expectServed();
    hanging.release();
  }

  @Test
  void ignoresTheTrailersOfAllStreamsThatWereReset() {
    List<Integer> streams = new ArrayList<>();
    for (int i = 0; i < STREAMS_MAX; i++) {
      streams.add(client.begin("POST", "/cut"));
    }
    for (int stream : streams) {
      client.pumpUntil(() -> client.response(stream).isOver());
    }

    for (int stream : streams) {
      client.send(Http2Frame.headers(stream, PlainHpack.literal("x", "y"), true));
    }

    client.expectServed();
    servers.log().await(Level.SEVERE);
  }

  @Test
  void notifiesPollsThatAreCancelled() {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < STREAMS_MAX; i++) {
        client.reset(client.request("GET", "/poll"), Http2Code.CANCEL);
      }
      client.expectServed();
    }
  }

  // ---- numbers ----

  @ParameterizedTest
  @CsvSource({"2, PROTOCOL_ERROR", "100, PROTOCOL_ERROR"})
  void rejectsAStreamOfTheServers(int stream, Http2Code code) {
    client.send(Http2Frame.headers(stream, block("/"), true));

    client.expectGoaway(code);
  }

  @Test
  void rejectsALowerStream() {
    client.nextStream("GET");
    client.nextStream("GET");
    int third = client.request("GET", "/");
    client.await(third);

    client.send(Http2Frame.headers(third - 2, block("/"), true));

    assertThat(client.expectGoaway(Http2Code.PROTOCOL_ERROR).lastStream()).isEqualTo(third);
  }

  @Test
  void rejectsAStreamThatIsUsedAgain() {
    int stream = client.get("/").stream();

    client.send(Http2Frame.headers(stream, block("/"), true));

    client.expectGoaway(Http2Code.STREAM_CLOSED);
  }

  @Test
  void servesTheLastStreamThereIs() {
    int last = client.lastOfAllStreams("GET");
    client.send(Http2Frame.headers(last, block("/"), true));
    assertThat(client.await(last).status()).isEqualTo(200);

    client.send(Http2Frame.headers(1, block("/"), true));

    assertThat(client.expectGoaway(Http2Code.PROTOCOL_ERROR).lastStream()).isEqualTo(last);
  }

  // ---- states ----

  @Test
  void resetsAStreamWithContentAfterItsEnd() {
    int stream = client.request("GET", "/wait");

    client.send(Http2Frame.data(stream, Requests.bytes("x"), true));

    client.expectReset(stream, Http2Code.STREAM_CLOSED);
    client.expectServed();
  }

  @Test
  void resetsAStreamWithHeadersAfterItsEnd() {
    int stream = client.request("GET", "/wait");

    client.send(Http2Frame.headers(stream, block("/"), true));

    client.expectReset(stream, Http2Code.STREAM_CLOSED);
    client.expectServed();
  }

  @Test
  void answersBeforeTheContentHasArrived() {
    ServerLimits impatient =
        Servers.LIMITS.toBuilder().requestRateGrace(Duration.ofMillis(50)).build();
    Http2Client silent = servers.connectHttp2(servers.start(this::handle, impatient));
    int stream = silent.begin("POST", "/ignore");

    Http2Response response = silent.await(stream);

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.text()).isEqualTo("hello");
    silent.pumpUntil(() -> response.resetCode() != null);
    assertThat(response.resetCode()).isEqualTo(Http2Code.NO_ERROR);
    silent.expectServed();
  }

  @Test
  void endsWithAClientThatHalfClosesWithinContentThatIsIgnored() {
    ServerLimits patient =
        ServerLimits.builder().requestBytesPerSecondMin(0).keepAliveTime(HOUR).build();
    Http2Client halfClosing = servers.connectHttp2(servers.start(Site::handle, patient));
    int stream = halfClosing.begin("POST", "/ignore");
    halfClosing.content(stream, new byte[10], false).awaitHead(stream);

    halfClosing.halfClose().readToEnd();

    assertThat(halfClosing.response(stream).status()).isEqualTo(200);
  }

  @Test
  void sendsAResponseWhileContentArrives() {
    int stream = client.begin("POST", "/echo");
    for (int i = 1; i <= 5; i++) {
      int expected = 3 * i;
      client.content(stream, Requests.bytes("abc"), false);
      client.pumpUntil(() -> client.response(stream).content().length == expected);
    }
    client.content(stream, new byte[0], true);

    assertThat(client.await(stream).isComplete()).isTrue();
  }

  @Test
  void resetsAResponseThatIsCutShort() {
    Http2Response response = client.get("/cut");

    assertThat(response.isComplete()).isFalse();
    assertThat(response.resetCode()).isEqualTo(Http2Code.INTERNAL_ERROR);
    client.expectServed();
    servers.log().take(Level.WARNING);
  }

  // ---- the limit ----

  @Test
  void refusesAStreamAboveTheLimitAndServesItAgain() throws Exception {
    assertThat(client.setting(Http2Frame.MAX_CONCURRENT_STREAMS, 0)).isEqualTo(STREAMS_MAX);
    for (int i = 0; i < STREAMS_MAX; i++) {
      client.request("GET", "/wait");
    }
    client.expectReset(client.request("GET", "/"), Http2Code.REFUSED_STREAM);

    site.pending().take().text("one");
    client.pumpUntil(() -> client.response(1).isOver());

    assertThat(client.get("/").status()).isEqualTo(200);
    for (int i = 1; i < STREAMS_MAX; i++) {
      site.pending().take().text("more");
      assertThat(client.await(2 * i + 1).text()).isEqualTo("more");
    }
  }

  /** Before the server's SETTINGS have arrived, a client may open any number. */
  @Test
  void refusesStreamsAboveTheLimitBeforeItsSettingsAreKnown() {
    try (Http2Client eager = servers.connectHttp2Silently(servers.start(this::handle))) {
      eager.send(Http2Client.PREFACE).declare();
      for (int i = 0; i < STREAMS_MAX + 20; i++) {
        eager.request("GET", "/wait");
      }
      for (int i = STREAMS_MAX; i < STREAMS_MAX + 20; i++) {
        eager.expectReset(2 * i + 1, Http2Code.REFUSED_STREAM);
      }
      site.pending().forEach(response -> response.text("done"));
      assertThat(eager.await(1).text()).isEqualTo("done");
    }
  }

  @Test
  void neverRefusesAClientThatKeepsToTheLimit() {
    ServerLimits patient =
        Servers.LIMITS.toBuilder().requestRateGrace(Duration.ofMinutes(2)).build();
    Http2Client steady = servers.connectHttp2(servers.start(this::handle, patient));
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < STREAMS_MAX; i++) {
      open.add(steady.begin("POST", i % 2 == 0 ? "/echo" : "/blocking"));
    }
    for (int i = 0; i < 2000; i++) {
      int stream = open.remove();
      steady.content(stream, Requests.bytes("x"), true);
      Http2Response response = steady.await(stream);
      assertThat(response.resetCode()).isNull();
      assertThat(response.text()).isEqualTo("x");
      open.add(steady.begin("POST", i % 2 == 0 ? "/blocking" : "/echo"));
    }
    for (int stream : open) {
      steady.reset(stream, Http2Code.CANCEL);
    }
  }

  @Test
  void countsHandlersThatRunThoughTheirStreamsWereReset() {
    for (int i = 0; i < STREAMS_MAX; i++) {
      client.request("GET", "/hang");
    }
    Await.until("all run", () -> hanging.running() == STREAMS_MAX);
    for (int i = 0; i < STREAMS_MAX; i++) {
      client.reset(2 * i + 1, Http2Code.CANCEL);
    }
    client.expectReset(client.request("GET", "/"), Http2Code.REFUSED_STREAM);

    hanging.release();

    // The loop learns of the ends by tasks, which it runs before it reads again.
    Await.until("a stream is served again", () -> client.get("/").status() == 200);
  }

  // ---- resets by the client ----

  @Test
  void endsABlockingReadAtAReset() throws Exception {
    int stream = client.begin("POST", "/read");
    client.content(stream, Requests.bytes("abc"), false);
    assertThat(events.take()).isEqualTo("reads");

    client.reset(stream, Http2Code.CANCEL);

    assertThat(events.take()).isEqualTo("failed");
    client.expectServed();
  }

  @Test
  void endsABlockingWriteAtAReset() throws Exception {
    int stream = client.request("GET", "/write");
    assertThat(events.take()).isEqualTo("writes");
    client.awaitHead(stream);

    client.reset(stream, Http2Code.CANCEL);

    assertThat(events.take()).isEqualTo("failed");
    client.roundTrip();
    client.expectServed();
  }

  /** A client may cancel at every point of a request and its response. */
  @ParameterizedTest
  @ValueSource(strings = {"/echo", "/whole", "/blocking", "/large", "/ignore"})
  void servesAClientThatCancelsAnywhere(String path) {
    byte[] block = block(path);
    byte[] content = Requests.content(40_000);
    for (int point = 0; point < 12; point++) {
      int stream = client.nextStream("POST");
      client.send(Http2Frame.headers(stream, block, false));
      if (point > 1) {
        client.content(stream, Arrays.copyOf(content, 4000 * point), false);
      }
      if (point % 3 == 0) {
        client.roundTrip();
      }
      client.reset(stream, point % 2 == 0 ? Http2Code.CANCEL : Http2Code.NO_ERROR);
      client.expectServed();
    }
    assertThat(client.post("/echo", content).content()).isEqualTo(content);
  }

  // ---- late frames ----

  /** Frames on a stream that the server has reset were sent before the client knew. */
  @Test
  void ignoresFramesOfAStreamThatItHasReset() {
    int stream = client.begin("POST", "/echo", new Field("content-length", "1"));
    client.send(Http2Frame.data(stream, Requests.bytes("ab"), false));
    client.send(
        Http2Frame.windowUpdate(stream, 1),
        Http2Frame.data(stream, Requests.content(10_000), false),
        Http2Frame.windowUpdate(stream, 0),
        Http2Frame.priority(stream, 0, 1),
        Http2Frame.headers(stream, PlainHpack.block(List.of(new Field("a", "b"))), true),
        Http2Frame.rst(stream, Http2Code.CANCEL));

    client.expectReset(stream, Http2Code.PROTOCOL_ERROR);
    client.roundTrip();
    client.expectServed();
  }

  @Test
  void takesAResetAndAWindowUpdateOfAStreamThatHasEnded() {
    int stream = client.get("/").stream();

    client.send(Http2Frame.windowUpdate(stream, 1), Http2Frame.rst(stream, Http2Code.CANCEL));

    client.roundTrip();
    client.expectServed();
  }

  @Test
  void reportsTheResetOfAStreamAsTheReasonOfItsEnd() throws Exception {
    ExchangeListener noting =
        new ExchangeListener() {
          @Override
          public void onEnd(ExchangeInfo exchange) {
            events.add(exchange.target() + " " + exchange.outcome() + " " + exchange.closeReason());
          }
        };
    Http2Client observed =
        servers.connectHttp2(
            servers.start(this::handle, options -> options.exchangeListener(noting)));
    int stream = observed.begin("POST", "/wait");

    observed.reset(stream, Http2Code.CANCEL);

    assertThat(events.take()).isEqualTo("/wait ABORTED CLIENT_RESET");
    observed.get("/");
    assertThat(events.take()).isEqualTo("/ COMPLETED null");
  }

  @Test
  void rejectsContentAfterAReset() {
    int stream = client.begin("POST", "/wait");
    client.reset(stream, Http2Code.CANCEL);

    client.send(Http2Frame.data(stream, Requests.bytes("x"), false));
    client.send(Http2Frame.ping(1));

    client.pumpUntil(
        () -> client.response(stream).resetCode() != null || !client.goaways().isEmpty());
    if (client.goaways().isEmpty()) {
      client.expectReset(stream, Http2Code.STREAM_CLOSED);
    } else {
      client.expectGoaway(Http2Code.STREAM_CLOSED);
    }
  }

  private byte[] block(String path) {
    return PlainHpack.block(client.fields("POST", path));
  }
}
