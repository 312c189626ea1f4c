package dev.peregrine.server.websocket;

import static dev.peregrine.testing.websocket.FrameClient.BINARY;
import static dev.peregrine.testing.websocket.FrameClient.CONTINUATION;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static dev.peregrine.testing.websocket.FrameClient.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.http.WebSocketOptions;
import dev.peregrine.http.WebSocketPartListener;
import dev.peregrine.http.WebSocketStream;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.WebSocketLimits;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.Frame;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed messages between real clients and sessions (RFC 7692). */
final class WebSocketCompressionIT {
  private static final String OFFER = "Sec-WebSocket-Extensions: permessage-deflate";
  private static final int RSV1 = 0x40;
  private static final byte[] MARKER = {0, 0, -1, -1};
  private static final int CONTEXTS_BYTES = (280 + 44) * 1024; // of one session

  @RegisterExtension final Servers servers = new Servers();

  private final RecordingListener listener = new RecordingListener();
  private final Deflater deflater = new Deflater(6, true);
  private final Inflater inflater = new Inflater(true);

  @AfterEach
  void endCodecs() {
    deflater.end();
    inflater.end();
  }

  // ---- the client's codec, with context ----

  private byte[] deflate(String text) {
    return deflate(text.getBytes(StandardCharsets.UTF_8));
  }

  private byte[] deflate(byte[] content) {
    deflater.setInput(content);
    byte[] output = new byte[2 * content.length + 64];
    int length = deflater.deflate(output, 0, output.length, Deflater.SYNC_FLUSH);
    return Arrays.copyOf(output, length - MARKER.length);
  }

  private byte[] inflate(byte[] payload) throws DataFormatException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    for (byte[] input : List.of(payload, MARKER)) {
      inflater.setInput(input);
      for (int n = inflater.inflate(buffer); n > 0; n = inflater.inflate(buffer)) {
        content.write(buffer, 0, n);
      }
    }
    return content.toByteArray();
  }

  /** Reads a message that must be compressed, in any number of frames. */
  private byte[] readCompressed(FrameClient client, int opcode) throws DataFormatException {
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    Frame frame = client.read();
    assertThat(frame.firstByte() & ~FINAL).isEqualTo(RSV1 | opcode);
    payload.writeBytes(frame.payload());
    while (!frame.isFinal()) {
      frame = client.read();
      assertThat(frame.firstByte() & ~FINAL).isEqualTo(CONTINUATION);
      payload.writeBytes(frame.payload());
    }
    return inflate(payload.toByteArray());
  }

  private String readText(FrameClient client) throws DataFormatException {
    return new String(readCompressed(client, TEXT), StandardCharsets.UTF_8);
  }

  // ---- the server ----

  private HttpServer start(WebSocketListener to, WebSocketLimits limits) {
    WebSocketOptions options = WebSocketOptions.DEFAULT.withCompression(true);
    return servers.start(
        (request, response) -> response.webSocket(options, to),
        Servers.LIMITS.toBuilder().webSocket(limits).build());
  }

  private FrameClient open(WebSocketListener to) {
    HttpServer server = start(to, WebSocketLimits.DEFAULT);
    return FrameClient.open(servers.connect(server), "/", OFFER);
  }

  private List<String> answers(HttpServer server, String... fields) {
    RawClient client = servers.connect(server);
    RawResponse response = client.send(FrameClient.handshake("/", fields)).read();
    client.close();
    return response.headers("Sec-WebSocket-Extensions");
  }

  // ---- the agreement ----

  @ParameterizedTest
  @CsvSource({
    "permessage-deflate, permessage-deflate",
    "permessage-deflate; client_max_window_bits, permessage-deflate",
    "permessage-deflate; server_no_context_takeover,"
        + " permessage-deflate; server_no_context_takeover",
    "permessage-deflate; server_max_window_bits=9, permessage-deflate; server_max_window_bits=9",
    "'other, permessage-deflate; unknown, permessage-deflate', permessage-deflate"
  })
  void agreesToOffers(String offer, String answer) {
    HttpServer server = start(listener, WebSocketLimits.DEFAULT);

    assertThat(answers(server, "Sec-WebSocket-Extensions: " + offer)).containsExactly(answer);
  }

  @Test
  void compressesNothingUnlessItIsOffered() {
    HttpServer server = start(listener, WebSocketLimits.DEFAULT);

    assertThat(answers(server)).isEmpty();
  }

  @Test
  void compressesNothingByDefault() {
    HttpServer server = servers.start((request, response) -> response.webSocket(listener));

    assertThat(answers(server, OFFER)).isEmpty();
    FrameClient client = FrameClient.open(servers.connect(server), "/", OFFER);
    client.send(FINAL | RSV1 | TEXT, deflate("text"));
    client.expectClose(1002);
  }

  @ParameterizedTest
  @ValueSource(strings = {"permessage-deflate;", "a b", ",;", "x=\"", "permessage-deflate; =1"})
  void rejectsMalformedOffers(String offer) {
    HttpServer server = start(listener, WebSocketLimits.DEFAULT);

    RawClient client = servers.connect(server);
    client.send(FrameClient.handshake("/", "Sec-WebSocket-Extensions: " + offer));

    assertThat(client.read().status()).isEqualTo(400);
  }

  @Test
  void keepsNoContextOnceTheMemoryForContextsIsSpent() throws Exception {
    long most = 4L * CONTEXTS_BYTES / 3; // of which three quarters are for contexts
    HttpServer server =
        start(listener, WebSocketLimits.DEFAULT.withCompressionBytesMax(most + 1024));
    FrameClient first = FrameClient.open(servers.connect(server), "/", OFFER);

    assertThat(answers(server, OFFER))
        .containsExactly(
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover");

    assertThat(listener.next()).isEqualTo("open");
    assertThat(listener.next()).isEqualTo("open");
    assertThat(listener.next()).startsWith("close 1006");
    first.sendClose(1000, "");
    first.expectClose(1000);
    assertThat(listener.next()).startsWith("close 1000");
    assertThat(answers(server, OFFER)).containsExactly("permessage-deflate");
  }

  // ---- messages ----

  @Test
  void echoesCompressedTextWithContext() throws Exception {
    FrameClient client = open(listener);
    String text = "the same text as before, h\u00E9llo ".repeat(10);

    for (int i = 0; i < 3; i++) {
      client.send(FINAL | RSV1 | TEXT, deflate(text));

      assertThat(readText(client)).isEqualTo(text);
    }
  }

  @Test
  void echoesShortMessagesUncompressed() {
    FrameClient client = open(listener);

    client.send(FINAL | RSV1 | TEXT, deflate("short"));

    assertThat(client.readText()).isEqualTo("short");
  }

  @Test
  void takesUncompressedMessagesToo() throws Exception {
    FrameClient client = open(listener);
    String text = "text that is long enough to be compressed by the server";

    client.sendText(text);

    assertThat(readText(client)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(ints = {32, 1_000, 70_000, 1_048_576})
  void echoesCompressedContentOfEachLength(int length) throws Exception {
    byte[] content = new byte[length];
    Random random = new Random(length);
    for (int i = 0; i < length; i++) {
      content[i] = (byte) random.nextInt(i % 1000 < 500 ? 4 : 256);
    }
    FrameClient client = open(listener);

    client.send(FINAL | RSV1 | BINARY, deflate(content));

    assertThat(readCompressed(client, BINARY)).isEqualTo(content);
  }

  @Test
  void joinsCompressedFragments() throws Exception {
    FrameClient client = open(listener);
    String text = "text in fragments, one byte each, as slow clients send it";

    byte[] payload = deflate(text);
    client.send(RSV1 | TEXT, new byte[] {payload[0]});
    for (int i = 1; i < payload.length; i++) {
      client.send(CONTINUATION, new byte[] {payload[i]});
    }
    client.send(FINAL | CONTINUATION, "");

    assertThat(readText(client)).isEqualTo(text);
  }

  @Test
  void deliversCompressedMessagesInParts() throws Exception {
    AtomicLong received = new AtomicLong();
    FrameClient client =
        open(
            new WebSocketPartListener() {
              @Override
              public void onBinaryPart(WebSocket socket, Bytes part, boolean last) {
                received.addAndGet(part.length());
                if (last) {
                  socket.sendText(Long.toString(received.get()));
                }
              }
            });

    client.send(
        FINAL | RSV1 | BINARY,
        deflate(
            new Random(7)
                .ints(3_000_000, 0, 3)
                .collect(ByteArrayOutputStream::new, ByteArrayOutputStream::write, (a, b) -> {})
                .toByteArray()));

    assertThat(client.readText()).isEqualTo("3000000");
  }

  @Test
  void deliversNoPartOfACompressedMessageDuringAPause() throws Exception {
    PausingParts parts = new PausingParts();
    FrameClient client = open(parts);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 30_000; i++) {
      text.append("part ").append(i).append('\n');
    }
    byte[] content = text.toString().getBytes(StandardCharsets.UTF_8);
    byte[] payload = deflate(content);
    int half = payload.length / 2;

    client
        .send(RSV1 | BINARY, Arrays.copyOf(payload, half))
        .send(FINAL | CONTINUATION, Arrays.copyOfRange(payload, half, payload.length))
        .send(FINAL | BINARY, new byte[1]);

    assertThat(client.readText()).isEqualTo(content.length + " bytes and then 1");
    assertThat(parts.received.toByteArray()).startsWith(content).hasSize(content.length + 1);
    assertThat(parts.calls).as("pauses between parts of the first message").isGreaterThan(2);
    assertThat(parts.callsWhilePaused).isZero();
  }

  /** Pauses at each part, and resumes in a later turn. */
  private static final class PausingParts implements WebSocketPartListener {
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private volatile int calls;
    private volatile int callsWhilePaused;
    private boolean paused;
    private int length; // of the first message

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // on the event loop only
    public void onBinaryPart(WebSocket socket, Bytes part, boolean last) {
      calls++;
      if (paused) {
        callsWhilePaused++;
      }
      received.writeBytes(part.toArray());
      if (last && length != 0) {
        socket.sendText(length + " bytes and then " + (received.size() - length));
      } else if (last) {
        length = received.size();
      }
      paused = true;
      socket.pause();
      socket.onLoop(
          () -> {
            paused = false;
            socket.resume();
          });
    }
  }

  /** A small message that becomes large must not make the server hold large answers. */
  @Test
  void takesNoPartOfACompressedMessageWithoutRoomForAnswers() {
    int messageBytes = 8 * 1024 * 1024;
    Random random = new Random(7);
    HttpServer server =
        start(
            new WebSocketPartListener() {
              @Override
              public void onBinaryPart(WebSocket socket, Bytes part, boolean last) {
                byte[] answer = new byte[part.length()];
                random.nextBytes(answer);
                socket.sendBinary(answer);
                if (last) {
                  socket.sendText("end");
                }
              }
            },
            WebSocketLimits.DEFAULT.withUnsentBytesMax(messageBytes / 4));
    FrameClient client = FrameClient.open(servers.connect(server, 64 * 1024), "/", OFFER);

    client.send(FINAL | RSV1 | BINARY, deflate(new byte[messageBytes]));

    long received = 0;
    Frame frame = client.read();
    while ((frame.firstByte() & 0xF) != TEXT) {
      received += frame.payload().length;
      frame = client.read();
    }
    assertThat(received).isGreaterThanOrEqualTo(messageBytes);
  }

  @Test
  void compressesAMessageInPartsAndOneForMany() throws Exception {
    FrameClient client = open(listener);
    assertThat(listener.next()).isEqualTo("open");
    WebSocket socket = listener.socket();
    String text = "a message that is encoded once, for many sockets";

    socket.sendText(text);
    socket.send(WebSocketMessage.text(text));
    WebSocketStream parts = socket.streamText();
    parts.write(text.getBytes(StandardCharsets.UTF_8));
    parts.write(text.getBytes(StandardCharsets.UTF_8));
    parts.end();
    socket.sendText(text);

    assertThat(readText(client)).isEqualTo(text);
    assertThat(readText(client)).isEqualTo(text);
    assertThat(readText(client)).isEqualTo(text + text);
    assertThat(readText(client)).isEqualTo(text);
  }

  // ---- limits ----

  @Test
  void closesWith1009AboveTheLimitOfBytes() {
    HttpServer server = start(listener, WebSocketLimits.DEFAULT.withMessageBytesMax(1_000));
    FrameClient client = FrameClient.open(servers.connect(server), "/", OFFER);

    client.send(FINAL | RSV1 | BINARY, deflate(new byte[1_000]));
    assertThat(client.read().firstByte()).isEqualTo(FINAL | RSV1 | BINARY);
    client.send(FINAL | RSV1 | BINARY, deflate(new byte[1_001]));

    client.expectClose(1009);
    client.expectEnd();
  }

  /** However well a message is compressed, only its size is limited. */
  @Test
  void takesAMessageOfTheLargestSizeThatIsOneByteRepeated() {
    FrameClient client = open(listener);

    client.send(FINAL | RSV1 | BINARY, deflate(new byte[1024 * 1024]));
    assertThat(client.read().firstByte()).isEqualTo(FINAL | RSV1 | BINARY);
    client.send(FINAL | RSV1 | BINARY, deflate(new byte[1024 * 1024 + 1]));

    client.expectClose(1009);
    client.expectEnd();
  }

  @Test
  void closesWith1007IfTheDataIsMalformed() {
    FrameClient client = open(listener);

    client.send(FINAL | RSV1 | BINARY, new byte[] {-1, -1, -1, -1});

    client.expectClose(1007);
    client.expectEnd();
  }

  @Test
  void closesWith1007IfTheTextIsNotUtf8() {
    FrameClient client = open(listener);

    client.send(FINAL | RSV1 | TEXT, deflate(new byte[] {'a', -1}));

    client.expectClose(1007);
    client.expectEnd();
  }
}
