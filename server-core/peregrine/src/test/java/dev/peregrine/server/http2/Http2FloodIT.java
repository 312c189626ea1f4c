package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Descriptors;
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
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that send many frames that cost more than they are worth. Each loses its connection with
 * ENHANCE_YOUR_CALM, or is answered. A calm client of the same event loop is served meanwhile and
 * afterwards. In the end the server has closed the sockets, and holds as much memory as before.
 */
final class Http2FloodIT {
  private static final int MANY = 100_000;
  private static final int STREAMS_MAX = 100;
  private static final int HELD_BYTES_MAX = 8 << 20;
  private static final byte[] NONE = {};

  @RegisterExtension final Servers servers = new Servers();

  private final AtomicInteger handled = new AtomicInteger();
  private final HangingHandler hanging = new HangingHandler();
  private HttpServer server;
  private Http2Client client;
  private Http2Client neighbour;
  private byte[] block;
  private long socketsBefore;

  @BeforeEach
  void start() {
    server = servers.start(this::handle, options -> options.loops(1));
    neighbour = servers.connectHttp2(server);
    neighbour.expectServed();
    socketsBefore = Descriptors.sockets();
    client = servers.connectHttp2(server);
    block = PlainHpack.block(client.fields("POST", "/echo"));
  }

  private void handle(Request request, Response response) throws Exception {
    if (!request.pathIs("/")) { // the neighbour's
      handled.incrementAndGet();
    }
    if (request.pathIs("/hang")) {
      hanging.handle(request, response);
    } else {
      Site.handle(request, response);
    }
  }

  @AfterEach
  void servesTheNeighbourAndHoldsNoSocket() {
    neighbour.expectServed();
    hanging.release();
    client.close();
    Await.until(
        () -> Descriptors.sockets() + " sockets are open, before " + socketsBefore,
        () -> Descriptors.sockets() <= socketsBefore);
  }

  // ---- streams that are reset ----

  @Test
  void endsRapidResets() {
    expectCalm(
        i ->
            Http2Frame.bytes(
                Http2Frame.headers(2 * i + 1, block, false),
                Http2Frame.rst(2 * i + 1, Http2Code.CANCEL)));

    assertThat(handled.get()).isLessThan(MANY / 10);
  }

  @Test
  void endsRapidResetsOfBlockingHandlers() {
    byte[] hang = PlainHpack.block(client.fields("GET", "/hang"));

    expectCalm(
        i ->
            Http2Frame.bytes(
                Http2Frame.headers(2 * i + 1, hang, true),
                Http2Frame.rst(2 * i + 1, Http2Code.CANCEL)));

    assertThat(hanging.mostRunning()).isLessThanOrEqualTo(STREAMS_MAX);
  }

  /** Frames for which the server must reset their stream (RFC 9113). */
  enum Fault {
    WINDOW_GROWS_BY_NOTHING {
      @Override
      Http2Frame frame(int stream, byte[] block) {
        return Http2Frame.windowUpdate(stream, 0);
      }
    },
    WINDOW_OVERFLOWS {
      @Override
      Http2Frame frame(int stream, byte[] block) {
        return Http2Frame.windowUpdate(stream, Integer.MAX_VALUE);
      }
    },
    PRIORITY_OF_WRONG_LENGTH {
      @Override
      Http2Frame frame(int stream, byte[] block) {
        return new Http2Frame(Http2Frame.PRIORITY, 0, stream, new byte[4]);
      }
    },
    DEPENDS_ON_ITSELF {
      @Override
      Http2Frame frame(int stream, byte[] block) {
        return Http2Frame.priority(stream, stream, 1);
      }
    },
    DATA_AFTER_THE_END {
      @Override
      Http2Frame frame(int stream, byte[] block) {
        return Http2Frame.data(stream, NONE, false);
      }
    },
    HEADERS_AFTER_THE_END {
      @Override
      Http2Frame frame(int stream, byte[] block) {
        return Http2Frame.headers(stream, block, true);
      }
    },
    TRAILERS_WITH_PSEUDO_FIELDS {
      @Override
      Http2Frame frame(int stream, byte[] block) {
        return Http2Frame.headers(stream, block, true);
      }
    };

    abstract Http2Frame frame(int stream, byte[] block);

    boolean isAfterTheEnd() {
      return this == DATA_AFTER_THE_END || this == HEADERS_AFTER_THE_END;
    }
  }

  @ParameterizedTest
  @EnumSource
  void endsFaultsThatMakeItReset(Fault fault) {
    byte[] hang = PlainHpack.block(client.fields("POST", "/hang"));

    flood(
        i ->
            Http2Frame.bytes(
                Http2Frame.headers(2 * i + 1, hang, fault.isAfterTheEnd()),
                fault.frame(2 * i + 1, block)));
    client.readToEnd();

    assertThat(client.goaways()).isNotEmpty();
    assertThat(client.goaways().getLast().code()).isNotEqualTo(Http2Code.NO_ERROR);
    assertThat(hanging.mostRunning()).isLessThanOrEqualTo(STREAMS_MAX);
  }

  @Test
  void endsMalformedRequests() {
    byte[] bad = PlainHpack.block(List.of(new Field("X", "y")));

    expectCalm(i -> Http2Frame.headers(2 * i + 1, bad, true).bytes());

    assertThat(handled.get()).isZero();
  }

  @Test
  void endsRequestsAboveTheLimitOfStreams() {
    byte[] hang = PlainHpack.block(client.fields("GET", "/hang"));

    expectCalm(i -> Http2Frame.headers(2 * i + 1, hang, true).bytes());

    assertThat(hanging.mostRunning()).isLessThanOrEqualTo(STREAMS_MAX);
  }

  // ---- header blocks ----

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void endsContinuations(int bytes) {
    int stream = client.nextStream("GET");
    client.send(Http2Frame.headersBegin(stream, NONE, true));

    expectCalm(i -> Http2Frame.continuation(stream, new byte[bytes], false).bytes());
  }

  @Test
  void endsABlockThatIsTooLarge() {
    int stream = client.nextStream("GET");
    client.send(Http2Frame.headersBegin(stream, NONE, true));
    byte[] part = PlainHpack.literal("x", "y".repeat(16_000));

    flood(i -> i < 1000 ? Http2Frame.continuation(stream, part, false).bytes() : NONE);

    client.expectGoaway(Http2Code.ENHANCE_YOUR_CALM);
    assertThat(server.bufferBytesInUse()).isLessThan(HELD_BYTES_MAX);
  }

  /** One entry of the table, and thousands of references to it of one byte. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4000})
  void answersManyReferencesToOneEntry(int valueBytes) {
    client.withoutCredit().declare(Http2Frame.INITIAL_WINDOW_SIZE, 0);
    byte[] entry = PlainHpack.inserted("x", "y".repeat(valueBytes));
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    bomb.writeBytes(PlainHpack.block(client.fields("GET", "/")));
    for (int i = 0; i < 10_000; i++) {
      bomb.writeBytes(PlainHpack.indexed(62));
    }
    client.awaitHead(
        client.requestOf(Requests.join(PlainHpack.block(client.fields("GET", "/")), entry)));

    for (int i = 0; i < 50; i++) {
      int stream = client.requestOf(bomb.toByteArray());
      assertThat(client.awaitHead(stream).status()).isEqualTo(431);
    }
    assertThat(server.bufferBytesInUse()).isLessThan(HELD_BYTES_MAX);
  }

  @Test
  void answersManyCookieCrumbs() {
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    bomb.writeBytes(PlainHpack.block(client.fields("GET", "/")));
    bomb.writeBytes(PlainHpack.inserted("cookie", ""));
    for (int i = 0; i < 10_000; i++) {
      bomb.writeBytes(PlainHpack.indexed(62));
    }

    Http2Response response = client.await(client.requestOf(bomb.toByteArray()));

    assertThat(response.status()).isEqualTo(431);
    client.expectServed();
  }

  @Test
  void endsEmptyHeaderBlocks() {
    expectCalm(i -> Http2Frame.headers(2 * i + 1, NONE, true).bytes());
  }

  @Test
  void endsFieldsWithoutNames() {
    byte[] bad =
        Requests.join(
            PlainHpack.block(client.fields("GET", "/")),
            PlainHpack.literal("", ""),
            PlainHpack.literal("", ""));

    expectCalm(i -> Http2Frame.headers(2 * i + 1, bad, true).bytes());
  }

  // ---- frames of the connection ----

  @Test
  void endsPings() {
    expectCalm(i -> Http2Frame.ping(i).bytes());
  }

  @Test
  void endsSettings() {
    expectCalm(i -> Http2Frame.settings(Http2Frame.MAX_HEADER_LIST_SIZE, i).bytes());
  }

  @Test
  void endsLargeSettings() {
    int[] pairs = new int[2 * 2730];
    for (int i = 0; i < pairs.length; i += 2) {
      pairs[i] = Http2Frame.INITIAL_WINDOW_SIZE;
      pairs[i + 1] = i;
    }
    byte[] frame = Http2Frame.settings(pairs).bytes();

    expectCalm(i -> i < 2000 ? frame : NONE);
  }

  @Test
  void endsAcknowledgements() {
    expectCalm(i -> Http2Frame.settingsAck().bytes());
  }

  @Test
  void endsPriorities() {
    expectCalm(i -> Http2Frame.priority(2 * i + 1, 0, 1).bytes());
  }

  @Test
  void endsPriorityUpdates() {
    expectCalm(i -> Http2Frame.priorityUpdate(2 * (i % 50) + 1, "u=" + i % 8).bytes());
  }

  @Test
  void endsUnknownFrames() {
    expectCalm(i -> new Http2Frame(0x33, 0, 0, NONE).bytes());
  }

  @Test
  void endsWindowUpdates() {
    int stream = client.begin("POST", "/echo");

    expectCalm(i -> Http2Frame.windowUpdate(i % 2 * stream, 1).bytes());
  }

  @Test
  void endsResetsOfStreamsThatHaveEnded() {
    int stream = client.get("/").stream();

    expectCalm(i -> Http2Frame.rst(stream, Http2Code.CANCEL).bytes());
  }

  // ---- content ----

  @Test
  void endsEmptyContent() {
    int stream = client.begin("POST", "/echo");

    expectCalm(i -> Http2Frame.data(stream, NONE, false).bytes());
  }

  @Test
  void endsPaddingWithoutContent() {
    int stream = client.begin("POST", "/echo");
    byte[] frame = Http2Frame.data(stream, NONE, false).padded(255).bytes();

    flood(i -> i < 20_000 ? frame : NONE);
    client.readToEnd();

    assertThat(client.goaways()).isNotEmpty();
    assertThat(client.goaways().getLast().code())
        .isIn(Http2Code.ENHANCE_YOUR_CALM, Http2Code.FLOW_CONTROL_ERROR);
  }

  @Test
  void endsContentOfAStreamThatWasReset() {
    int stream = client.begin("POST", "/echo", new Field("content-length", "1"));
    client.send(Http2Frame.data(stream, Requests.bytes("ab"), false));
    client.expectReset(stream, Http2Code.PROTOCOL_ERROR);

    expectCalm(i -> Http2Frame.data(stream, NONE, false).bytes());
  }

  // ---- busy clients that are not floods ----

  @Test
  void servesAClientThatCancelsHundredsOfRequests() {
    for (int page = 0; page < 4; page++) {
      List<Integer> streams = new ArrayList<>();
      for (int i = 0; i < STREAMS_MAX; i++) {
        streams.add(client.begin("POST", "/echo"));
      }
      for (int stream : streams) {
        client.reset(stream, Http2Code.CANCEL);
      }
      client.expectServed();
    }
  }

  @Test
  void servesManyRequestsWithAPingEach() {
    for (int i = 0; i < 2000; i++) {
      client.expectServed();
      client.roundTrip();
    }
  }

  @Test
  void servesAnUploadInSmallPieces() {
    int stream = client.begin("POST", "/echo");
    for (int i = 0; i < 20_000; i++) {
      client.content(stream, new byte[] {(byte) i}, i == 19_999);
    }

    assertThat(client.await(stream).content()).hasSize(20_000);
  }

  @Test
  void servesAReaderThatGrantsLittleAtATime() {
    client.declare(Http2Frame.INITIAL_WINDOW_SIZE, 200);

    assertThat(client.get("/large").content()).isEqualTo(Site.LARGE);
  }

  /** Clients of Go send an update for each of their reads, on the stream and on the connection. */
  @Test
  void servesAReaderThatUpdatesTheWindowsForEachRead() {
    int readBytes = 1024;
    client.withoutCredit();
    for (int i = 0; i < 3; i++) {
      int stream = client.begin("GET", "/large");
      client.content(stream, new byte[0], true);
      int granted = 0;
      while (!client.response(stream).isOver()) {
        Http2Frame ignored = client.next();
        while (granted + readBytes <= client.response(stream).content().length) {
          granted += readBytes;
          client.grant(stream, readBytes).grant(0, readBytes);
        }
      }
      assertThat(client.response(stream).content()).isEqualTo(Site.LARGE);
    }
  }

  // ---- many connections ----

  /** Each connection is just below its own budget; together they are too many. */
  @Test
  void endsAFloodThatIsSpreadOverConnections() {
    List<Http2Client> clients = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      clients.add(servers.connectHttp2(server));
    }
    ByteArrayOutputStream pings = new ByteArrayOutputStream();
    for (int i = 0; i < 150; i++) {
      pings.writeBytes(Http2Frame.ping(i).bytes());
    }
    for (Http2Client one : clients) {
      one.sendWhileOpen(pings.toByteArray());
    }

    int ended = 0;
    for (Http2Client one : clients) {
      if (one.isEndedWith(Http2Code.ENHANCE_YOUR_CALM, 149)) {
        ended++;
      }
      one.close();
    }
    assertThat(ended).isPositive();
  }

  // ---- helpers ----

  private void expectCalm(IntFunction<byte[]> frames) {
    flood(frames);
    client.expectGoaway(Http2Code.ENHANCE_YOUR_CALM);
    assertThat(server.bufferBytesInUse()).isLessThan(HELD_BYTES_MAX);
  }

  /** Sends many frames from another thread, until the server closes the connection. */
  private void flood(IntFunction<byte[]> frames) {
    for (int i = 0; i < MANY; i++) {
      client.nextStream("POST");
    }
    CompletableFuture<Void> ignored =
        CompletableFuture.runAsync(
            () -> {
              ByteArrayOutputStream some = new ByteArrayOutputStream();
              for (int i = 0; i < MANY; i++) {
                some.writeBytes(frames.apply(i));
                if (some.size() > 16_384) {
                  if (!client.sendWhileOpen(some.toByteArray())) {
                    return;
                  }
                  some.reset();
                }
              }
              client.sendWhileOpen(some.toByteArray());
            },
            work -> Thread.ofPlatform().daemon().start(work));
    neighbour.expectServed();
  }
}
