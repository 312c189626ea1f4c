package dev.peregrine.server.websocket;

import static dev.peregrine.testing.websocket.FrameClient.CONTINUATION;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static dev.peregrine.testing.websocket.FrameClient.PING;
import static dev.peregrine.testing.websocket.FrameClient.PONG;
import static dev.peregrine.testing.websocket.FrameClient.TEXT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketPartListener;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Text in both directions: UTF-8 by RFC 3629, whatever frames and reads divide it. */
final class WebSocketTextIT {
  /** The first and the last character of each length, and of the gap of the surrogates. */
  private static final String CHARACTERS =
      "\u0001\u007F\u0080\u07FF\u0800\uD7FF\uE000\uFFFF"
          + Character.toString(0x10000)
          + Character.toString(0x10FFFF);

  private static final byte[] TEXT_BYTES = CHARACTERS.getBytes(StandardCharsets.UTF_8);

  static final int[] CUTS = IntStream.rangeClosed(0, TEXT_BYTES.length).toArray();

  /** Bytes that no valid text has at that place; the last one shows it. */
  static final String[] INVALID = {
    "80",
    "bf",
    "c0",
    "c1",
    "f5",
    "f8",
    "fc",
    "fe",
    "ff", // no character begins so
    "c328",
    "c3c3",
    "e228",
    "e28228",
    "e282e2",
    "f028",
    "f09028",
    "f0908028", // cut short
    "e080",
    "e09f",
    "f080",
    "f08f", // longer than necessary
    "eda0",
    "edad",
    "edbf", // surrogates
    "f490",
    "f4bf" // beyond the last character
  };

  @RegisterExtension final Servers servers = new Servers();

  private final RecordingListener listener = new RecordingListener();

  private static byte[] part(int from, int to) {
    return Arrays.copyOfRange(TEXT_BYTES, from, to);
  }

  /** Returns a frame of text without its last byte. */
  private static byte[] unfinished(String before, String invalid) {
    byte[] text = Requests.join(Requests.bytes(before), HexFormat.of().parseHex(invalid));
    byte[] frame = FrameClient.frame(FINAL | TEXT, Arrays.copyOf(text, text.length + 1));
    return Arrays.copyOf(frame, frame.length - 1);
  }

  private void expectInvalid(FrameClient client) throws InterruptedException {
    assertThat(client.expectClose(1007)).isEqualTo("the text is not valid UTF-8");
    client.expectEnd();
    assertThat(listener.next()).isEqualTo("close 1006 the text is not valid UTF-8");
    listener.expectSilence();
  }

  // ---- divisions ----

  @ParameterizedTest
  @FieldSource("CUTS")
  void joinsCharactersThatFramesDivide(int cut) throws Exception {
    FrameClient client = listener.open(servers);

    client
        .send(TEXT, part(0, cut))
        .send(FINAL | PING, "")
        .send(FINAL | CONTINUATION, part(cut, TEXT_BYTES.length));

    assertThat(client.read().opcode()).isEqualTo(PONG);
    assertThat(client.readText()).isEqualTo(CHARACTERS);
  }

  @ParameterizedTest
  @FieldSource("CUTS")
  void joinsCharactersThatReadsDivide(int cut) throws Exception {
    FrameClient client = listener.open(servers);
    byte[] frame = FrameClient.frame(FINAL | TEXT, TEXT_BYTES);
    int head = frame.length - TEXT_BYTES.length;

    client.send(Arrays.copyOf(frame, head + cut));
    client.send(Arrays.copyOfRange(frame, head + cut, frame.length));

    assertThat(client.readText()).isEqualTo(CHARACTERS);
  }

  @Test
  void joinsCharactersByteByByte() throws Exception {
    FrameClient client = listener.open(servers);

    for (int i = 0; i < TEXT_BYTES.length; i++) {
      client.send(i == 0 ? TEXT : CONTINUATION, part(i, i + 1));
    }
    client.send(FINAL | CONTINUATION, "");

    assertThat(client.readText()).isEqualTo(CHARACTERS);
  }

  /** Characters across the ends of the strides of the validator and of blocks of memory. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 8, 9, 15, 16, 31, 32, 63, 64, 16_380, 65_530})
  void takesCharactersAfterLongText(int before) throws Exception {
    FrameClient client = listener.open(servers);
    String text = "a".repeat(before) + CHARACTERS.repeat(10);

    assertThat(client.sendText(text).readText()).isEqualTo(text);
  }

  // ---- invalid text ----

  @ParameterizedTest
  @FieldSource("INVALID")
  void closesAtTheFirstByteThatIsInvalid(String invalid) throws Exception {
    FrameClient client = listener.open(servers);

    client.send(unfinished("", invalid));

    expectInvalid(client);
  }

  @ParameterizedTest
  @FieldSource("INVALID")
  void closesAtAnInvalidByteAfterLongText(String invalid) throws Exception {
    FrameClient client = listener.open(servers);

    client.send(unfinished("valid".repeat(100), invalid));

    expectInvalid(client);
  }

  /** The byte that shows it comes in another frame than the bytes before. */
  @ParameterizedTest
  @FieldSource("INVALID")
  void closesAtAnInvalidByteInAContinuation(String invalid) throws Exception {
    FrameClient client = listener.open(servers);
    byte[] text = HexFormat.of().parseHex(invalid);
    int cut = text.length - 1;

    client
        .send(TEXT, Arrays.copyOf(text, cut))
        .send(CONTINUATION, Arrays.copyOfRange(text, cut, text.length));

    expectInvalid(client);
  }

  @ParameterizedTest
  @ValueSource(strings = {"c3", "e2", "e282", "f0", "f090", "f09080", "61e282"})
  void closesAtAMessageThatEndsWithinACharacter(String text) throws Exception {
    FrameClient client = listener.open(servers);

    client.send(FINAL | TEXT, HexFormat.of().parseHex(text));

    expectInvalid(client);
  }

  @Test
  void closesAtAnEmptyContinuationThatEndsWithinACharacter() throws Exception {
    FrameClient client = listener.open(servers);

    client.send(TEXT, HexFormat.of().parseHex("e282")).send(FINAL | CONTINUATION, "");

    expectInvalid(client);
  }

  @Test
  void beginsEachMessageAnew() throws Exception {
    FrameClient client = listener.open(servers);

    client.sendText("\u20AC").send(FINAL | TEXT, HexFormat.of().parseHex("82ac"));

    assertThat(client.readText()).isEqualTo("\u20AC");
    assertThat(listener.next()).isEqualTo("text \u20AC");
    expectInvalid(client);
  }

  @Test
  void takesAnyBytesInABinaryMessage() throws Exception {
    FrameClient client = listener.open(servers);
    byte[] bytes = HexFormat.of().parseHex(String.join("", INVALID));

    client.send(FINAL | FrameClient.BINARY, bytes);

    assertThat(client.read().payload()).isEqualTo(bytes);
  }

  /** A listener of parts gets no byte of a character that can't be one. */
  @Test
  void closesAtInvalidTextInParts() throws Exception {
    PartEcho parts = new PartEcho();
    HttpServer server = servers.start((request, response) -> response.webSocket(parts));
    FrameClient client = FrameClient.open(servers.connect(server), "/");

    client.send(unfinished("abc", "ff"));

    client.expectClose(1007);
    client.expectEnd();
  }

  /** Sends each part back. */
  private static final class PartEcho implements WebSocketPartListener {
    @Override
    public void onTextPart(WebSocket socket, Bytes part, boolean last) {
      socket.sendBinary(part);
    }

    @Override
    public void onBinaryPart(WebSocket socket, Bytes part, boolean last) {
      socket.sendBinary(part);
    }
  }

  // ---- sending ----

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 41, 42, 125, 126, 5_000, 20_000, 70_000})
  void sendsTextOfAnyLengthAndKind(int length) throws Exception {
    FrameClient client = listener.open(servers);
    String text = (CHARACTERS + "a").repeat(length / 10 + 1);
    WebSocket socket = listener.socket();

    socket.sendText(text);
    socket.sendText(text.getBytes(StandardCharsets.UTF_8));
    socket.sendText(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    socket.onLoop(() -> socket.sendText(text));

    for (int i = 0; i < 4; i++) {
      assertThat(client.readText()).isEqualTo(text);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\uD800", "\uDC00", "a\uD83D", "\uDE00\uD83D", "\uD83Da"})
  void throwsForTextWithHalfACharacter(String text) throws Exception {
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();

    assertThatThrownBy(() -> socket.sendText(text)).isInstanceOf(IllegalArgumentException.class);
    socket.onLoop(
        () ->
            assertThatThrownBy(() -> socket.sendText(text))
                .isInstanceOf(IllegalArgumentException.class));

    assertThat(client.sendText("still open").readText()).isEqualTo("still open");
  }

  @ParameterizedTest
  @FieldSource("INVALID")
  void throwsForBytesThatAreNotUtf8(String invalid) throws Exception {
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();

    assertThatThrownBy(() -> socket.sendText(HexFormat.of().parseHex(invalid)))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(client.sendText("still open").readText()).isEqualTo("still open");
  }
}
