package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.SystemBuffers;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.Http2Response;
import dev.peregrine.testing.http2.Http2Windows;
import dev.peregrine.testing.http2.PlainHpack;
import dev.peregrine.testing.http2.Site;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Clients that stop, or are too slow, at each point of a connection. Tests assert events, never
 * times: a busy stream beside a stalled one is the clock.
 */
final class Http2DeadlinesIT {
  private static final Duration SHORT = Duration.ofMillis(150);
  private static final Duration LONG = Duration.ofSeconds(2);
  private static final Duration NEVER = Duration.ofHours(1);
  private static final long PAUSE_NANOS = 1_000_000;

  @RegisterExtension final Servers servers = new Servers();

  private HttpServer start(ServerLimits limits) {
    return servers.start(Http2DeadlinesIT::handle, limits);
  }

  private static void handle(Request request, Response response) throws Exception {
    if (request.pathIs("/endless")) {
      Response ignored = response.async();
    } else if (request.pathIs("/conversation")) {
      RequestBody ignored = request.body().openEnded();
      response.send(Site.LARGE);
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

  /** Has a client begin in time: again with another one if a slow machine made it late. */
  private Http2Client begin(HttpServer server, Consumer<Http2Client> beginning) {
    while (true) {
      long start = System.nanoTime();
      Http2Client client = servers.connectHttp2Silently(server);
      try {
        beginning.accept(client);
        return client;
      } catch (AssertionError | UncheckedIOException ended) {
        if (System.nanoTime() - start < SHORT.toNanos()) {
          throw ended;
        }
      }
    }
  }

  /** Returns a client whose settings are agreed upon, and which waits for nothing. */
  private Http2Client beginServed(HttpServer server) {
    return begin(server, client -> client.handshake().expectServed());
  }

  // ---- heads ----

  @Test
  void endsAConnectionThatSendsNoWholePreface() {
    HttpServer server = start(headTime());
    Http2Client client = servers.connectHttp2Silently(server);

    client.send(Arrays.copyOf(Http2Client.PREFACE, 18));

    client.readTextToEnd();
    beginServed(server).close();
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
    Http2Client client = begin(server, silent -> silent.withoutAcks().handshake());

    try {
      while (client.goaways().isEmpty() && client.next() != null) {
        client.sendWhileOpen(Http2Frame.ping(1).bytes()); // which the server answers
        LockSupport.parkNanos(50 * PAUSE_NANOS);
      }
    } finally {
      client.readToEnd();
    }
    assertThat(client.goaways().getLast().code()).isEqualTo(Http2Code.SETTINGS_TIMEOUT);
    servers.log().awaitText(Level.INFO, "the limit is 150 ms (requestHeadTime)");
  }

  @Test
  void endsAConnectionWhoseHeaderBlockStops() {
    HttpServer server = start(headTime());
    Http2Client client = beginServed(server);
    byte[] block = PlainHpack.block(client.fields("GET", "/"));

    client.send(Http2Frame.headersBegin(client.nextStream("GET"), block, true));

    client.expectGoaway(Http2Code.ENHANCE_YOUR_CALM);
  }

  @Test
  void endsAConnectionWhoseFrameStops() {
    HttpServer server = start(headTime());
    Http2Client client = beginServed(server);
    byte[] block = PlainHpack.block(client.fields("GET", "/"));
    byte[] frame = Http2Frame.headers(client.nextStream("GET"), block, true).bytes();

    client.send(Arrays.copyOf(frame, frame.length - 1));

    client.expectGoaway(Http2Code.ENHANCE_YOUR_CALM);
  }

  @Test
  void endsAConnectionWhoseHeaderBlockDrips() {
    HttpServer server = start(headTime());
    Http2Client client = beginServed(server);
    int stream = client.nextStream("GET");
    client.send(Http2Frame.headersBegin(stream, new byte[0], true));

    drip(client, stream);

    client.expectGoaway(Http2Code.ENHANCE_YOUR_CALM);
  }

  @Test
  void endsAConnectionWhoseTrailersDrip() {
    HttpServer server = start(headTime());
    Http2Client client = beginServed(server);
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
    Http2Client client = beginServed(server);

    client.expectGoaway(Http2Code.NO_ERROR);
  }

  @Test
  void keepsAConnectionWhoseHandlerTakesItsTime() {
    HttpServer server = start(Servers.LIMITS.toBuilder().keepAliveTime(SHORT).build());
    AtomicInteger begun = new AtomicInteger();
    Http2Client held =
        begin(
            server,
            client -> {
              begun.set(client.handshake().request("GET", "/endless"));
              client.roundTrip();
            });
    int stream = begun.get();
    Http2Client idle = beginServed(server);

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
    int busy = client.nextStream("POST");
    byte[] head = PlainHpack.block(client.fields("POST", "/echo"));
    byte[] content = Requests.content(10_000); // ten times as much as it must send in a second
    client.send(Http2Frame.headers(busy, head, false), Http2Frame.data(busy, content, false));

    while (!client.response(stalled).isOver()) {
      client.content(busy, content, false);
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
    HttpServer server = start(downloads(1000, NEVER));
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
    HttpServer server = start(downloads(10_000_000, NEVER));
    Http2Client client = servers.connectHttp2(server).withoutCredit();
    client.declare(Http2Frame.INITIAL_WINDOW_SIZE, Integer.MAX_VALUE);
    int first = client.request("GET", "/large");
    int second = client.request("GET", "/large");

    client.pumpUntil(() -> client.response(first).isOver() && client.response(second).isOver());

    assertThat(client.response(first).resetCode()).isEqualTo(Http2Code.CANCEL);
    assertThat(client.response(second).resetCode()).isEqualTo(Http2Code.CANCEL);
    client.grant(0, Http2Windows.DEFAULT).expectServed();
  }

  /** The client of a conversation reads when it likes; the others of its connection are limited. */
  @Test
  void waitsForAConversationWithoutAWindow() {
    HttpServer server = start(downloads(1000, NEVER));
    Http2Client client = servers.connectHttp2(server);
    client.withoutCredit().declare(Http2Frame.INITIAL_WINDOW_SIZE, 10);
    int conversation = client.request("GET", "/conversation");
    int limited = client.request("GET", "/large");

    client.pumpUntil(() -> client.response(limited).isOver());

    assertThat(client.response(limited).resetCode()).isEqualTo(Http2Code.CANCEL);
    client.grant(0, Site.LARGE.length).grant(conversation, Site.LARGE.length);
    assertThat(client.await(conversation).content()).isEqualTo(Site.LARGE);
  }

  @Test
  void waitsForConversationsWhenTheConnectionHasNoWindow() {
    HttpServer server = start(downloads(10_000_000, NEVER));
    Http2Client client = servers.connectHttp2(server).withoutCredit();
    client.declare(Http2Frame.INITIAL_WINDOW_SIZE, Integer.MAX_VALUE);
    int conversation = client.request("GET", "/conversation");
    int limited = client.request("GET", "/large");

    client.pumpUntil(() -> client.response(limited).isOver());

    assertThat(client.response(limited).resetCode()).isEqualTo(Http2Code.CANCEL);
    client.grant(0, Site.LARGE.length);
    assertThat(client.await(conversation).content()).isEqualTo(Site.LARGE);
  }

  @Test
  void waitsForAStreamBehindAMoreUrgentOne() {
    HttpServer server = start(downloads(1000, NEVER));
    Http2Client client = beginUrgentAndStalled(server);
    int urgent = 1;
    int waiting = 3;
    int stalled = 5;

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

  /**
   * Returns a client of three large responses, the first of which is the most urgent, and the last
   * of which has no window: another one if a slow machine was late to grant the others theirs.
   */
  private Http2Client beginUrgentAndStalled(HttpServer server) {
    while (true) {
      long start = System.nanoTime();
      Http2Client client = servers.connectHttp2(server).withoutCredit();
      client.declare(Http2Frame.INITIAL_WINDOW_SIZE, 10);
      int urgent = client.request("GET", "/large", new Field("priority", "u=0"));
      int waiting = client.request("GET", "/large", new Field("priority", "u=7"));
      client.request("GET", "/large", new Field("priority", "u=7"));
      client.grant(urgent, Integer.MAX_VALUE / 2).grant(waiting, Integer.MAX_VALUE / 2);
      if (System.nanoTime() - start < SHORT.toNanos()) {
        return client;
      }
      client.close();
    }
  }

  @Test
  void endsAConnectionThatNeverReads() {
    HttpServer server = start(downloads(10_000_000, LONG));
    Http2Client client =
        begin(
            server,
            silent ->
                silent
                    .withoutCredit()
                    .handshake()
                    .declare(Http2Frame.INITIAL_WINDOW_SIZE, Integer.MAX_VALUE)
                    .grant(0, Integer.MAX_VALUE - 65_535));
    byte[] block = PlainHpack.block(client.fields("GET", "/large"));
    for (int i = 0; i <= SystemBuffers.MORE_BYTES / Site.LARGE.length; i++) {
      client.sendWhileOpen(Http2Frame.headers(client.nextStream("GET"), block, true).bytes());
    }

    Await.until("the connection is closed", () -> server.connectionCount() == 0);
  }

  @Test
  void endsAConnectionWithoutAWindowOfItsOwn() {
    HttpServer server = start(downloads(10_000_000, SHORT));
    AtomicInteger begun = new AtomicInteger();
    Http2Client client =
        begin(
            server,
            silent -> {
              begun.set(silent.withoutCredit().handshake().request("GET", "/large"));
              silent.awaitHead(begun.get());
            });

    client.readToEnd();

    assertThat(client.response(begun.get()).isComplete()).isFalse();
  }
}
