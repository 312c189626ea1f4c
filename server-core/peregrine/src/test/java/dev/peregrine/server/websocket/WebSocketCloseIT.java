package dev.peregrine.server.websocket;

import static dev.peregrine.testing.websocket.FrameClient.BINARY;
import static dev.peregrine.testing.websocket.FrameClient.CLOSE;
import static dev.peregrine.testing.websocket.FrameClient.FINAL;
import static dev.peregrine.testing.websocket.FrameClient.PING;
import static dev.peregrine.testing.websocket.FrameClient.TEXT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.WebSocket;
import dev.peregrine.server.config.WebSocketLimits;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.FrameClient;
import dev.peregrine.testing.websocket.RecordingListener;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The closing handshake (RFC 6455 sections 5.5.1 and 7). */
final class WebSocketCloseIT {
  private static final int REASON_BYTES_MAX = 123;
  private static final Duration SHORT = Duration.ofMillis(150);

  @RegisterExtension final Servers servers = new Servers();

  private final RecordingListener listener = new RecordingListener();

  // ---- the client's close frame ----

  @ParameterizedTest
  @ValueSource(
      ints = {
        1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000,
        4999
      })
  void answersACodeWithTheSameOne(int code) throws Exception {
    FrameClient client = listener.open(servers);

    client.sendClose(code, "r\u00E9ason");

    assertThat(client.expectClose(code)).isEmpty();
    listener.expectClosed(client, "close " + code + " r\u00E9ason");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 32_768, 65_535})
  void rejectsACodeThatMustNotBeSent(int code) throws Exception {
    FrameClient client = listener.open(servers);

    client.sendClose(code, "");

    client.expectClose(1002);
    listener.expectClosed(client, "close 1006 malformed close frame");
  }

  @Test
  void rejectsACloseFrameOfOneByte() throws Exception {
    FrameClient client = listener.open(servers);

    client.send(FINAL | CLOSE, new byte[] {3});

    client.expectClose(1002);
    listener.expectClosed(client, "close 1006 malformed close frame");
  }

  @ParameterizedTest
  @ValueSource(strings = {"80", "c3", "c0af", "eda080", "f4908080", "f8888080", "61ff62", "e282"})
  void rejectsAReasonThatIsNotUtf8(String reason) throws Exception {
    FrameClient client = listener.open(servers);

    client.send(
        FINAL | CLOSE,
        Requests.join(FrameClient.closePayload(1000, ""), HexFormat.of().parseHex(reason)));

    client.expectClose(1007);
    listener.expectClosed(client, "close 1006 malformed close frame");
  }

  @Test
  void takesTheLongestReason() throws Exception {
    FrameClient client = listener.open(servers);

    client.sendClose(1000, "x".repeat(REASON_BYTES_MAX));

    client.expectClose(1000);
    listener.expectClosed(client, "close 1000 " + "x".repeat(REASON_BYTES_MAX));
  }

  @Test
  void takesACloseFrameByteByByte() throws Exception {
    FrameClient client = listener.open(servers);

    for (byte each : FrameClient.frame(FINAL | CLOSE, FrameClient.closePayload(1000, "bye"))) {
      client.send(new byte[] {each});
    }

    client.expectClose(1000);
    listener.expectClosed(client, "close 1000 bye");
  }

  @Test
  void takesACloseFrameWithinAMessage() throws Exception {
    FrameClient client = listener.open(servers);

    client.send(TEXT, "begun").sendClose(1001, "leaving");

    client.expectClose(1001);
    listener.expectClosed(client, "close 1001 leaving");
  }

  // ---- the server's close frame ----

  @ParameterizedTest
  @ValueSource(
      ints = {
        -1,
        0,
        999,
        1004,
        1005,
        1006,
        1015,
        1016,
        2999,
        5000,
        65_536 + 1000,
        Integer.MIN_VALUE
      })
  void throwsForACodeThatMustNotBeSent(int code) throws Exception {
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();

    assertThatThrownBy(() -> socket.close(code, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Integer.toString(code));

    assertThat(socket.isOpen()).isTrue();
    client.sendText("still open");
    assertThat(client.readText()).isEqualTo("still open");
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 1003, 1007, 1014, 3000, 4999})
  void closesWithACodeAndTheLongestReason(int code) throws Exception {
    FrameClient client = listener.open(servers);

    listener.socket().close(code, "\u00E9".repeat(REASON_BYTES_MAX / 2) + "!");

    assertThat(client.expectClose(code)).isEqualTo("\u00E9".repeat(REASON_BYTES_MAX / 2) + "!");
    client.sendClose(code, "ok");
    listener.expectClosed(client, "close " + code + " ok");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "\u00E9"})
  void throwsForAReasonThatIsTooLong(String character) throws Exception {
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();

    assertThatThrownBy(() -> socket.close(1000, character.repeat(REASON_BYTES_MAX + 1)))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(socket.isOpen()).isTrue();
    client.sendText("still open");
    assertThat(client.readText()).isEqualTo("still open");
  }

  @Test
  void sendsOneCloseFrameThoughClosedTwice() throws Exception {
    FrameClient client = listener.open(servers);
    WebSocket socket = listener.socket();

    socket.close(3001, "first");
    socket.close(3002, "second");

    assertThat(socket.isOpen()).isFalse();
    assertThat(socket.sendText("late")).isFalse();
    assertThat(socket.sendPing(new byte[0])).isFalse();
    assertThat(client.expectClose(3001)).isEqualTo("first");
    client.sendClose(3001, "");
    listener.expectClosed(client, "close 3001 ");
  }

  /** Both close frames are on their way at the same time. */
  @Test
  void endsIfBothSidesCloseAtOnce() throws Exception {
    RecordingListener closing = RecordingListener.onText(socket -> socket.close(3000, ""));
    FrameClient client = closing.open(servers);

    client.send(
        Requests.join(
            FrameClient.frame(FINAL | TEXT, ""),
            FrameClient.frame(FINAL | CLOSE, FrameClient.closePayload(4000, "mine"))));

    client.expectClose(3000);
    client.expectEnd();
    assertThat(closing.next()).isEqualTo("close 4000 mine");
  }

  @Test
  void dropsMessagesThatArriveAfterItsCloseFrame() throws Exception {
    FrameClient client = listener.open(servers);
    listener.socket().close();
    client.expectClose(1000);

    client
        .sendText("late")
        .send(TEXT, "in")
        .send(FINAL | PING, "late")
        .send(FINAL, "parts")
        .send(FINAL | BINARY, new byte[100_000])
        .sendClose(1000, "");

    listener.expectClosed(client, "close 1000 ");
  }

  /** Messages that no longer matter must keep to the frames' rules all the same. */
  @Test
  void endsAtAViolationAfterItsCloseFrame() throws Exception {
    FrameClient client = listener.open(servers);
    listener.socket().close();
    client.expectClose(1000);

    client.send(new byte[] {(byte) 0x83, (byte) 0x80});

    listener.expectClosed(client, "close 1006 the opcode is unknown");
  }

  /** Opens a socket that closes, and waits for the client's close frame for a short time. */
  private FrameClient closeWithLittleTime() throws InterruptedException {
    WebSocketLimits limits = WebSocketLimits.DEFAULT.withCloseTime(SHORT);
    FrameClient client =
        listener.open(servers, Servers.LIMITS.toBuilder().webSocket(limits).build());
    listener.socket().close(1000, "bye");
    client.expectClose(1000);
    return client;
  }

  @Test
  void endsTheConnectionOfAClientThatDoesNotAnswer() throws Exception {
    FrameClient client = closeWithLittleTime();

    listener.expectClosed(client, "close 1006 the client has not answered the close frame");
  }

  /** Bytes other than a close frame don't prolong the time. */
  @Test
  void endsTheConnectionOfAClientThatSendsOtherFramesInstead() throws Exception {
    FrameClient client = closeWithLittleTime();

    byte[] other = FrameClient.frame(FINAL | BINARY, new byte[10]);
    Await.until("the server ends", () -> !client.client().sendWhileOpen(other) || isClosed());
    client.client().expectClosed();
  }

  private boolean isClosed() {
    return !listener.isSilent();
  }
}
