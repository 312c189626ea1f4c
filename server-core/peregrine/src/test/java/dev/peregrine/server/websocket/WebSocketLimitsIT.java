package dev.peregrine.server.websocket;

import static dev.peregrine.testing.websocket.FrameClient.BINARY;
import static dev.peregrine.testing.websocket.FrameClient.CLOSE;
import static dev.peregrine.testing.websocket.FrameClient.CONTINUATION;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static dev.peregrine.testing.websocket.FrameClient.PING;
import static dev.peregrine.testing.websocket.FrameClient.PONG;
import static dev.peregrine.testing.websocket.FrameClient.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.WebSocketOptions;
import dev.peregrine.parser.websocket.FrameEncoder;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.config.WebSocketLimits;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.Frame;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each limit of a WebSocket at, below and above its value. Tests assert events, never times: if an
 * event must not happen, another connection that times out is the clock.
 */
final class WebSocketLimitsIT {
  /** For clients that do nothing until it has passed. */
  private static final Duration SHORT = Duration.ofMillis(150);

  /** For clients that must be in time, even on a busy machine. */
  private static final Duration LONG = Duration.ofSeconds(2);

  private static final int POINTS = 4; // few, so that none returns within the test's turn
  private static final int BYTES_MAX = 1_000;
  private static final byte[] ZERO_LENGTH_HEAD = {0, (byte) 0x80, 0, 0, 0, 0};

  @RegisterExtension final Servers servers = new Servers();

  private final RecordingListener listener = new RecordingListener();

  private static ServerLimits limits(WebSocketLimits limits) {
    return Servers.LIMITS.toBuilder().webSocket(limits).build();
  }

  private HttpServer start(ServerLimits limits) {
    return servers.start((request, response) -> response.webSocket(listener), limits);
  }

  private FrameClient open(HttpServer server) {
    return FrameClient.open(servers.connect(server), "/");
  }

  private static byte[] repeat(byte[] frame, int times) {
    byte[] frames = new byte[frame.length * times];
    for (int i = 0; i < times; i++) {
      System.arraycopy(frame, 0, frames, i * frame.length, frame.length);
    }
    return frames;
  }

  private static void expectTooMany(FrameClient client) {
    assertThat(client.expectClose(1008)).isEqualTo("too many frames without content");
    client.expectEnd();
  }

  // ---- frames without content ----

  @ParameterizedTest
  @ValueSource(ints = {FINAL | PING, FINAL | PONG})
  void servesAClientThatSpendsAllPoints(int firstByte) {
    FrameClient client = open(start(limits(WebSocketLimits.DEFAULT.withFloodPointsMax(POINTS))));

    client.send(
        Requests.join(
            repeat(FrameClient.frame(firstByte, "x"), POINTS),
            FrameClient.frame(FINAL | TEXT, "a")));

    for (int i = 0; i < POINTS && firstByte == (FINAL | PING); i++) {
      assertThat(client.read().opcode()).isEqualTo(PONG);
    }
    assertThat(client.readText()).isEqualTo("a");
  }

  @ParameterizedTest
  @ValueSource(ints = {FINAL | PING, FINAL | PONG})
  void closesAFloodOfControlFrames(int firstByte) {
    FrameClient client = open(start(limits(WebSocketLimits.DEFAULT.withFloodPointsMax(POINTS))));

    client.send(repeat(FrameClient.frame(firstByte, "x"), POINTS + 1));

    for (int i = 0; i < POINTS && firstByte == (FINAL | PING); i++) {
      assertThat(client.read().opcode()).isEqualTo(PONG);
    }
    expectTooMany(client);
  }

  @Test
  void joinsFragmentsWithoutContentThatSpendAllPoints() {
    FrameClient client = open(start(limits(WebSocketLimits.DEFAULT.withFloodPointsMax(POINTS))));

    client.send(
        Requests.join(
            FrameClient.frame(TEXT, "a"),
            repeat(ZERO_LENGTH_HEAD, POINTS),
            FrameClient.frame(FINAL | CONTINUATION, "b")));

    assertThat(client.readText()).isEqualTo("ab");
  }

  @Test
  void closesAFloodOfFragmentsWithoutContent() {
    FrameClient client = open(start(limits(WebSocketLimits.DEFAULT.withFloodPointsMax(POINTS))));

    client.send(Requests.join(FrameClient.frame(TEXT, "a"), repeat(ZERO_LENGTH_HEAD, POINTS + 1)));

    expectTooMany(client);
  }

  /** Whole messages are what a socket is for, even if they are empty. */
  @Test
  void servesManyEmptyMessages() {
    FrameClient client = open(start(limits(WebSocketLimits.DEFAULT.withFloodPointsMax(1))));

    client.send(repeat(FrameClient.frame(FINAL | TEXT, ""), 2_000));

    for (int i = 0; i < 2_000; i++) {
      assertThat(client.readText()).isEmpty();
    }
  }

  @Test
  void closesAMillionFragmentsWithoutContentByDefault() {
    FrameClient client = open(start(Servers.LIMITS));

    var sent = client.send(BINARY, "").client().sendMeanwhile(repeat(ZERO_LENGTH_HEAD, 1_000_000));

    client.expectClose(1008);
    client.client().expectClosed();
    sent.exceptionally(closed -> null).join();
  }

  // ---- the data rate of a frame ----

  /** A rate that no client keeps, whose grace alone is what it has. */
  private static ServerLimits strict() {
    return Servers.LIMITS.toBuilder()
        .requestBytesPerSecondMin(1_000_000)
        .requestRateGrace(SHORT)
        .build();
  }

  private void expectTooSlow(FrameClient client) throws InterruptedException {
    assertThat(client.expectClose(1008)).isEqualTo("a frame arrives too slowly");
    client.client().expectClosed();
    assertThat(listener.next()).isEqualTo("open");
    assertThat(listener.next()).isEqualTo("close 1006 a frame arrives too slowly");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 8, 9, 1_000})
  void closesAFrameThatStops(int bytes) throws Exception {
    FrameClient client = open(start(strict()));

    client.send(Arrays.copyOf(FrameClient.frame(FINAL | BINARY, new byte[2_000]), bytes));

    expectTooSlow(client);
  }

  @Test
  void closesAFrameThatDrips() throws Exception {
    FrameClient client = open(start(strict()));
    byte[] frame = FrameClient.frame(FINAL | BINARY, new byte[1_000_000]);

    for (int i = 0; i < frame.length && !client.client().hasMore(); i++) {
      client.client().sendWhileOpen(new byte[] {frame[i]});
      LockSupport.parkNanos(1_000_000);
    }

    expectTooSlow(client);
  }

  /** A compressed message without a context of its own takes memory that all sockets share. */
  @Test
  void closesACompressedMessageThatStops() throws Exception {
    WebSocketOptions compressed = WebSocketOptions.DEFAULT.withCompression(true);
    HttpServer server =
        servers.start((request, response) -> response.webSocket(compressed, listener), strict());
    FrameClient client =
        FrameClient.open(
            servers.connect(server),
            "/",
            "Sec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover");
    byte[] stored = {0, 3, 0, -4, -1, 'a', 'b', 'c'}; // a block of three bytes that isn't the last

    client.send(FrameEncoder.COMPRESSED | TEXT, stored);

    expectTooSlow(client);
  }

  /** Between frames no rate is required, even between those of a message. */
  @Test
  void requiresNoRateBetweenFrames() throws Exception {
    HttpServer server = start(strict());
    FrameClient client = open(server);
    FrameClient within = open(server);
    client.sendText("a");
    assertThat(client.readText()).isEqualTo("a");
    within.send(TEXT, "a").send(FINAL | PING, "");
    assertThat(within.read().opcode()).isEqualTo(PONG);

    FrameClient clock = open(server).send(new byte[] {(byte) (FINAL | TEXT)});
    clock.expectClose(1008);

    client.sendText("b");
    assertThat(client.readText()).isEqualTo("b");
    within.send(FINAL | CONTINUATION, "b");
    assertThat(within.readText()).isEqualTo("ab");
  }

  // ---- silent clients ----

  /** Sends text and expects it back, after any pings. */
  private static void expectEcho(FrameClient client) {
    client.sendText("a");
    Frame next = client.read();
    while (next.opcode() == PING) {
      next = client.read();
    }
    assertThat(next.text()).isEqualTo("a");
  }

  @Test
  void sendsPingsToASilentClient() {
    FrameClient client = open(start(limits(WebSocketLimits.DEFAULT.withPingInterval(SHORT))));

    for (int i = 0; i < 3; i++) {
      Frame ping = client.read();
      assertThat(ping.firstByte()).isEqualTo(FINAL | PING);
      assertThat(ping.payload()).isEmpty();
    }

    expectEcho(client);
  }

  @Test
  void closesASilentClient() throws Exception {
    FrameClient client = open(start(limits(WebSocketLimits.DEFAULT.withIdleTime(SHORT))));

    assertThat(client.expectClose(1008)).isEqualTo("nothing was received for too long");
    client.expectEnd();
    assertThat(listener.next()).isEqualTo("open");
    assertThat(listener.next()).isEqualTo("close 1006 nothing was received within the idle time");
  }

  @Test
  void keepsAClientThatAnswersPings() {
    HttpServer server =
        start(limits(WebSocketLimits.DEFAULT.withPingInterval(SHORT).withIdleTime(LONG)));

    boolean kept = false;
    while (!kept) {
      kept = isKeptLonger(server);
    }
  }

  /**
   * Answers pings until a silent client has been closed, and an echo has come after that. Returns
   * false if the client that answers was closed because the answers of this thread were late.
   */
  private boolean isKeptLonger(HttpServer server) {
    FrameClient silent = open(server);
    long sentNanos = System.nanoTime();
    FrameClient answering = open(server);
    long latestNanos = 0;
    boolean asked = false;
    while (true) {
      int opcode = answering.read().opcode();
      if (opcode == TEXT) {
        return true;
      }
      long nextNanos = System.nanoTime();
      if (opcode == CLOSE) {
        latestNanos = Math.max(latestNanos, nextNanos - sentNanos);
        assertThat(latestNanos).isGreaterThan(LONG.toNanos() / 2);
        return false;
      }
      assertThat(opcode).isEqualTo(PING);
      answering.client().sendWhileOpen(FrameClient.frame(FINAL | PONG, ""));
      latestNanos = Math.max(latestNanos, System.nanoTime() - sentNanos);
      sentNanos = nextNanos;
      if (!asked && hasClosed(silent)) {
        asked = true;
        answering.client().sendWhileOpen(FrameClient.frame(FINAL | TEXT, "a"));
      }
    }
  }

  /** Returns true if a client that got pings has got a close frame as well. */
  private static boolean hasClosed(FrameClient client) {
    while (client.client().hasMore()) {
      if (client.read().opcode() != PING) {
        return true;
      }
    }
    return false;
  }

  /** The options of one socket are above the limits of the server. */
  @Test
  void keepsASilentClientWhoseOptionsPermitIt() {
    WebSocketOptions patient =
        WebSocketOptions.DEFAULT.withIdleTime(Duration.ZERO).withPingInterval(Duration.ZERO);
    HttpServer server =
        servers.start(
            (request, response) -> {
              boolean isPatient = request.pathIs("/patient");
              response.webSocket(isPatient ? patient : WebSocketOptions.DEFAULT, listener);
            },
            limits(WebSocketLimits.DEFAULT.withIdleTime(SHORT)));
    FrameClient client = FrameClient.open(servers.connect(server), "/patient");

    open(server).expectClose(1008);

    client.sendText("a");
    assertThat(client.readText()).isEqualTo("a");
  }

  @Test
  void closesASilentClientWhoseOptionsDoNotPermitIt() {
    WebSocketOptions impatient = WebSocketOptions.DEFAULT.withIdleTime(SHORT);
    HttpServer server =
        servers.start((request, response) -> response.webSocket(impatient, listener));

    FrameClient client = open(server);

    client.expectClose(1008);
    client.expectEnd();
  }

  // ---- the length of a message ----

  private FrameClient openWithBytesMax() {
    return open(start(limits(WebSocketLimits.DEFAULT.withMessageBytesMax(BYTES_MAX))));
  }

  private void expectTooLarge(FrameClient client) throws InterruptedException {
    assertThat(client.expectClose(1009)).isEqualTo("the message is too large");
    client.expectEnd();
    assertThat(listener.next()).isEqualTo("open");
    assertThat(listener.next()).isEqualTo("close 1006 the message is too large");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, BYTES_MAX - 1, BYTES_MAX})
  void takesAMessageUpToTheLimit(int bytes) {
    FrameClient client = openWithBytesMax().send(FINAL | BINARY, new byte[bytes]);

    assertThat(client.read().payload()).hasSize(bytes);
  }

  /** The head is enough: the payload never arrives. */
  @ParameterizedTest
  @ValueSource(ints = {BYTES_MAX + 1, 2 * BYTES_MAX})
  void closesAtAHeadThatDeclaresTooMuch(int bytes) throws Exception {
    byte[] frame = FrameClient.frame(FINAL | BINARY, new byte[bytes]);

    expectTooLarge(openWithBytesMax().send(Arrays.copyOf(frame, frame.length - bytes)));
  }

  @ParameterizedTest
  @CsvSource({"0, 1000", "1, 999", "999, 1", "1000, 0", "500, 500"})
  void takesFragmentsUpToTheLimit(int first, int second) {
    FrameClient client =
        openWithBytesMax()
            .send(BINARY, new byte[first])
            .send(FINAL | CONTINUATION, new byte[second]);

    assertThat(client.read().payload()).hasSize(BYTES_MAX);
  }

  @ParameterizedTest
  @CsvSource({"0, 1001", "1, 1000", "999, 2", "1000, 1", "500, 501"})
  void closesAtAHeadOfAFragmentThatDeclaresTooMuch(int first, int second) throws Exception {
    byte[] frame = FrameClient.frame(CONTINUATION, new byte[second]);
    FrameClient client = openWithBytesMax().send(BINARY, new byte[first]);

    client.send(Arrays.copyOf(frame, frame.length - second));

    expectTooLarge(client);
  }

  @Test
  void countsEachMessageAlone() {
    FrameClient client = openWithBytesMax();

    for (int i = 0; i < 5; i++) {
      client.send(BINARY, new byte[BYTES_MAX - 1]).send(FINAL | CONTINUATION, new byte[1]);
      assertThat(client.read().payload()).hasSize(BYTES_MAX);
    }
  }

  @ParameterizedTest
  @CsvSource({"10, 10, 1000", "1000, 1000, 10"})
  void prefersTheLimitOfTheOptions(int bytes, int ofOptions, int ofServer) throws Exception {
    WebSocketOptions options = WebSocketOptions.DEFAULT.withMessageBytesMax(ofOptions);
    HttpServer server =
        servers.start(
            (request, response) -> response.webSocket(options, listener),
            limits(WebSocketLimits.DEFAULT.withMessageBytesMax(ofServer)));
    FrameClient client = open(server).send(FINAL | BINARY, new byte[bytes]);
    assertThat(client.read().payload()).hasSize(bytes);
    assertThat(listener.next()).isEqualTo("open");
    assertThat(listener.next()).isEqualTo("binary " + bytes);

    client.send(FINAL | BINARY, new byte[bytes + 1]);

    client.expectClose(1009);
    client.client().expectClosed();
    assertThat(listener.next()).isEqualTo("close 1006 the message is too large");
  }
}
