package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames of wrong size, in the wrong place, of unknown type, with padding, and cut anywhere. */
final class Http2FramesIT {
  private static final int FRAME_BYTES_MAX = 16_384;
  private static final int RESERVED = 0x8000_0000;

  /** So few that the frames between them are no flood. */
  private static final int CUTS_OF_A_CONNECTION = 20;

  @RegisterExtension final Servers servers = new Servers();

  private HttpServer server;
  private Http2Client client;
  private Http2Client neighbour;

  @BeforeEach
  void start() {
    server = servers.start(Site::handle);
    neighbour = servers.connectHttp2(server);
    client = servers.connectHttp2(server);
  }

  @AfterEach
  void servesTheNeighbour() {
    neighbour.expectServed();
  }

  // ---- sizes ----

  @Test
  void takesFramesOfTheLargestSize() {
    byte[] content = Requests.content(FRAME_BYTES_MAX);
    int stream = client.begin("POST", "/echo");

    client.send(Http2Frame.data(stream, content, true));

    assertThat(client.await(stream).content()).isEqualTo(content);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Http2Frame.DATA,
        Http2Frame.HEADERS,
        Http2Frame.SETTINGS,
        Http2Frame.GOAWAY,
        Http2Frame.PRIORITY_UPDATE,
        0x77
      })
  void rejectsAFrameThatIsTooLarge(int type) {
    int stream = type == Http2Frame.DATA ? client.begin("POST", "/echo") : 0;
    if (type == Http2Frame.HEADERS) {
      stream = client.nextStream("GET");
    }

    client.send(new Http2Frame(type, 0, stream, new byte[FRAME_BYTES_MAX + 1]).bytes());

    client.expectGoaway(Http2Code.FRAME_SIZE_ERROR);
  }

  static Stream<Http2Frame> wrongLengths() {
    return Stream.of(
        frame(Http2Frame.SETTINGS, 0, 5),
        frame(Http2Frame.SETTINGS, 0, 7),
        new Http2Frame(Http2Frame.SETTINGS, Http2Frame.ACK, 0, new byte[6]),
        frame(Http2Frame.PING, 0, 7),
        frame(Http2Frame.PING, 0, 9),
        frame(Http2Frame.PING, 0, 0),
        frame(Http2Frame.RST_STREAM, 1, 3),
        frame(Http2Frame.RST_STREAM, 1, 5),
        frame(Http2Frame.WINDOW_UPDATE, 0, 3),
        frame(Http2Frame.WINDOW_UPDATE, 0, 5),
        frame(Http2Frame.WINDOW_UPDATE, 1, 5),
        frame(Http2Frame.GOAWAY, 0, 7),
        frame(Http2Frame.PRIORITY_UPDATE, 0, 3));
  }

  @ParameterizedTest
  @MethodSource("wrongLengths")
  void rejectsAFrameOfTheWrongLength(Http2Frame frame) {
    client.begin("POST", "/echo");

    client.send(frame.bytes());

    client.expectGoaway(Http2Code.FRAME_SIZE_ERROR);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 6})
  void resetsTheStreamOfAPriorityOfTheWrongLength(int length) {
    int stream = client.begin("POST", "/echo");

    client.send(frame(Http2Frame.PRIORITY, stream, length));

    client.expectReset(stream, Http2Code.FRAME_SIZE_ERROR);
    client.expectServed();
  }

  // ---- what is ignored ----

  @Test
  void ignoresTheReservedBit() {
    int stream = client.nextStream("POST");
    byte[] block = PlainHpack.block(client.fields("POST", "/echo"));

    client.send(
        Http2Frame.bytes(
            Http2Frame.headers(stream | RESERVED, block, false),
            Http2Frame.windowUpdate(RESERVED, 1 | RESERVED),
            Http2Frame.data(stream | RESERVED, Requests.bytes("abc"), true)));

    assertThat(client.await(stream).text()).isEqualTo("abc");
  }

  @Test
  void ignoresUnknownFramesFlagsAndSettings() {
    int stream = client.nextStream("GET");
    byte[] block = PlainHpack.block(client.fields("GET", "/"));

    client.send(frame(0x20, 0, 100)).send(frame(0xFF, 7, 0)).send(frame(0x0A, stream, 9));
    client.send(new Http2Frame(Http2Frame.SETTINGS, 0xFE, 0, new byte[0]));
    client.send(Http2Frame.settings(0xFFFF, -1, 0, 7, 9, 1));
    client.send(Http2Frame.headers(stream, block, true).withFlags(0xD2));
    client.send(new Http2Frame(Http2Frame.PING, 0xFE, RESERVED, new byte[8]));

    assertThat(client.await(stream).status()).isEqualTo(200);
    client.roundTrip();
  }

  @Test
  void ignoresPrioritiesOfRfc7540() {
    int stream = client.nextStream("GET");
    byte[] block = PlainHpack.block(client.fields("GET", "/"));

    client.send(Http2Frame.priority(stream, 0, 7), Http2Frame.priority(101, stream, 0));
    client.send(
        Http2Frame.headers(stream, Requests.join(new byte[] {0, 0, 0, 99, 15}, block), true)
            .withFlags(Http2Frame.WITH_PRIORITY));

    assertThat(client.await(stream).status()).isEqualTo(200);
    client.expectServed();
  }

  @Test
  void answersEachPingAndEachSettings() {
    client.roundTrip().roundTrip();

    client.declare().declare(Http2Frame.HEADER_TABLE_SIZE, 0).declare();

    client.pumpUntil(() -> client.settingsAcks() == 4);
  }

  @Test
  void doesNotAnswerAnAcknowledgement() {
    client.send(new Http2Frame(Http2Frame.PING, Http2Frame.ACK, 0, new byte[8]));

    client.send(Http2Frame.ping(1));

    Http2Frame next = Objects.requireNonNull(client.next());
    assertThat(next.payload()).endsWith(1);
  }

  // ---- places and values ----

  static Stream<Arguments> misplaced() {
    byte[] none = {};
    return Stream.of(
        Arguments.of(Http2Frame.data(0, none, true)),
        Arguments.of(Http2Frame.headers(0, none, true)),
        Arguments.of(Http2Frame.priority(0, 3, 1)),
        Arguments.of(Http2Frame.rst(0, Http2Code.CANCEL)),
        Arguments.of(Http2Frame.continuation(0, none, true)),
        Arguments.of(Http2Frame.continuation(1, none, true)),
        Arguments.of(Http2Frame.continuation(3, none, true)),
        Arguments.of(new Http2Frame(Http2Frame.SETTINGS, 0, 1, none)),
        Arguments.of(new Http2Frame(Http2Frame.PING, 0, 1, new byte[8])),
        Arguments.of(new Http2Frame(Http2Frame.GOAWAY, 0, 1, new byte[8])),
        Arguments.of(new Http2Frame(Http2Frame.PRIORITY_UPDATE, 0, 1, new byte[8])),
        Arguments.of(Http2Frame.priorityUpdate(0, "u=1")),
        Arguments.of(Http2Frame.priorityUpdate(2, "u=1")),
        Arguments.of(new Http2Frame(Http2Frame.PUSH_PROMISE, 4, 1, new byte[8])),
        Arguments.of(Http2Frame.data(99, none, false)),
        Arguments.of(Http2Frame.rst(99, Http2Code.CANCEL)),
        Arguments.of(Http2Frame.windowUpdate(99, 1)),
        Arguments.of(Http2Frame.rst(2, Http2Code.CANCEL)),
        Arguments.of(Http2Frame.windowUpdate(2, 1)));
  }

  @ParameterizedTest
  @MethodSource("misplaced")
  void rejectsAFrameThatIsNotAllowedThere(Http2Frame frame) {
    int stream = client.begin("POST", "/echo");

    client.send(frame.bytes());

    Http2Frame goaway = client.expectGoaway(Http2Code.PROTOCOL_ERROR);
    assertThat(goaway.lastStream()).isEqualTo(stream);
  }

  @Test
  void rejectsAContinuationOfAStreamThatHasEnded() {
    int stream = client.request("GET", "/");
    assertThat(client.await(stream).status()).isEqualTo(200);

    client.send(Http2Frame.continuation(stream, new byte[0], true).bytes());

    client.expectGoaway(Http2Code.PROTOCOL_ERROR);
  }

  static Stream<Http2Frame> interruptions() {
    byte[] none = {};
    return Stream.of(
        Http2Frame.data(1, none, false),
        Http2Frame.headers(3, none, true),
        Http2Frame.headers(1, none, true),
        Http2Frame.continuation(3, none, true),
        Http2Frame.priority(1, 0, 1),
        Http2Frame.rst(1, Http2Code.CANCEL),
        Http2Frame.settings(),
        Http2Frame.ping(1),
        Http2Frame.windowUpdate(0, 1),
        Http2Frame.goaway(0, Http2Code.NO_ERROR),
        new Http2Frame(0x55, 0, 1, none));
  }

  @ParameterizedTest
  @MethodSource("interruptions")
  void rejectsAFrameWithinAHeaderBlock(Http2Frame frame) {
    byte[] block = PlainHpack.block(client.fields("GET", "/"));

    client.send(Http2Frame.headersBegin(client.nextStream("GET"), block, true));
    client.send(frame.bytes());

    Http2Frame goaway = client.expectGoaway(Http2Code.PROTOCOL_ERROR);
    assertThat(goaway.lastStream()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "2, 2, PROTOCOL_ERROR",
    "2, -1, PROTOCOL_ERROR",
    "4, -2147483648, FLOW_CONTROL_ERROR",
    "4, -1, FLOW_CONTROL_ERROR",
    "5, 16383, PROTOCOL_ERROR",
    "5, 16777216, PROTOCOL_ERROR",
    "5, 0, PROTOCOL_ERROR",
    "9, 2, PROTOCOL_ERROR"
  })
  void rejectsASettingWithABadValue(int id, int value, Http2Code code) {
    client.send(Http2Frame.settings(id, value));

    client.expectGoaway(code);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 0",
    "2, 1",
    "4, 0",
    "4, 2147483647",
    "5, 16384",
    "5, 16777215",
    "3, 0",
    "6, 0",
    "9, 0",
    "9, 1"
  })
  void takesASettingAtItsLimit(int id, int value) {
    client.declare(id, value);

    client.pumpUntil(() -> client.settingsAcks() == 2);
    assertThat(client.get("/").status()).isEqualTo(200);
  }

  // ---- padding ----

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 255})
  void dropsPadding(int padding) {
    int stream = client.nextStream("POST");
    byte[] block = PlainHpack.block(client.fields("POST", "/echo"));

    client.send(Http2Frame.headers(stream, block, false).padded(padding));
    client.send(Http2Frame.data(stream, Requests.bytes("ab"), false).padded(padding));
    client.send(Http2Frame.data(stream, new byte[0], false).padded(padding));
    client.send(Http2Frame.data(stream, Requests.bytes("c"), true).padded(padding));

    assertThat(client.await(stream).text()).isEqualTo("abc");
  }

  @Test
  void dropsPaddingAndPriorityTogether() {
    int stream = client.nextStream("GET");
    byte[] block = PlainHpack.block(client.fields("GET", "/"));

    client.send(
        Http2Frame.headers(stream, Requests.join(new byte[] {0, 0, 0, 0, 1}, block), true)
            .withFlags(Http2Frame.WITH_PRIORITY)
            .padded(20));

    assertThat(client.await(stream).status()).isEqualTo(200);
  }

  static Stream<Http2Frame> tooMuchPadding() {
    return Stream.of(
        new Http2Frame(Http2Frame.DATA, Http2Frame.PADDED, 1, new byte[] {1}),
        new Http2Frame(Http2Frame.DATA, Http2Frame.PADDED, 1, new byte[] {10, 0, 0}),
        new Http2Frame(Http2Frame.HEADERS, Http2Frame.PADDED | 5, 3, new byte[] {10, 0, 0}),
        new Http2Frame(Http2Frame.HEADERS, 0x2D, 3, new byte[] {1, 0, 0, 0, 0, 0}));
  }

  @ParameterizedTest
  @MethodSource("tooMuchPadding")
  void rejectsPaddingThatIsLongerThanItsFrame(Http2Frame frame) {
    client.begin("POST", "/echo");

    client.send(frame.bytes());

    client.expectGoaway(Http2Code.PROTOCOL_ERROR);
  }

  @ParameterizedTest
  @ValueSource(ints = {Http2Frame.DATA, Http2Frame.HEADERS})
  void rejectsAFrameWithoutRoomForItsPaddingLength(int type) {
    int stream = client.begin("POST", "/echo");

    client.send(new Http2Frame(type, Http2Frame.PADDED | 5, stream, new byte[0]).bytes());

    client.expectGoaway(Http2Code.FRAME_SIZE_ERROR);
  }

  // ---- cuts ----

  @Test
  void readsFramesCutAnywhere() {
    int length = conversation(client, 1).length;
    for (int cut = 1; cut < length; cut++) {
      if (cut % CUTS_OF_A_CONNECTION == 0) {
        client.close();
        client = servers.connectHttp2(server);
      }
      int stream = client.nextStream("POST");
      byte[] bytes = conversation(client, stream);
      client.send(Arrays.copyOf(bytes, cut));
      client.send(Arrays.copyOfRange(bytes, cut, length));
      expectEcho(client.await(stream));
    }
  }

  @Test
  void readsFramesByteByByte() {
    for (int round = 0; round < 5; round++) {
      int stream = client.nextStream("POST");
      for (byte one : conversation(client, stream)) {
        client.send(new byte[] {one});
      }
      expectEcho(client.await(stream));
    }
  }

  @Test
  void readsThePrefaceCutAnywhere() {
    byte[] begin = Requests.join(Http2Client.PREFACE, Http2Frame.settings(4, 70_000).bytes());
    for (int cut = 1; cut < begin.length; cut++) {
      try (Http2Client other = servers.connectHttp2Silently(server)) {
        other.send(Arrays.copyOf(begin, cut)).send(Arrays.copyOfRange(begin, cut, begin.length));
        other.expectServed();
      }
    }
  }

  /** A request with every kind of frame that may be between. */
  private static byte[] conversation(Http2Client client, int stream) {
    byte[] block = PlainHpack.block(client.fields("POST", "/echo", new Field("x", "y".repeat(20))));
    byte[] trailers = PlainHpack.block(List.of(new Field("x-checked", "yes")));
    return Http2Frame.bytes(
        Http2Frame.settings(Http2Frame.HEADER_TABLE_SIZE, 4096),
        Http2Frame.headersBegin(stream, Requests.join(new byte[5], Arrays.copyOf(block, 30)), false)
            .withFlags(Http2Frame.WITH_PRIORITY)
            .padded(3),
        Http2Frame.continuation(stream, Arrays.copyOfRange(block, 30, 31), false),
        Http2Frame.continuation(stream, Arrays.copyOfRange(block, 31, block.length), true),
        Http2Frame.data(stream, Requests.bytes("abc"), false).padded(2),
        Http2Frame.windowUpdate(stream, 1),
        Http2Frame.windowUpdate(0, 1),
        new Http2Frame(0x42, 0, stream, new byte[3]),
        Http2Frame.data(stream, Requests.bytes("def"), false),
        Http2Frame.headers(stream, trailers, true));
  }

  private static void expectEcho(Http2Response response) {
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.text()).isEqualTo("abcdef");
    assertThat(response.resetCode()).isNull();
  }

  private static Http2Frame frame(int type, int stream, int length) {
    return new Http2Frame(type, 0, stream, new byte[length]);
  }
}
