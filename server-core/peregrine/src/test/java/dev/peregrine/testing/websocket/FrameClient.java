package dev.peregrine.testing.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.WebSocketListener;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A WebSocket client that sends and reads single frames, valid or not. */
public final class FrameClient {
  public static final int FINAL = 0x80;
  public static final int CONTINUATION = 0;
  public static final int TEXT = 1;
  public static final int BINARY = 2;
  public static final int CLOSE = 8;
  public static final int PING = 9;
  public static final int PONG = 10;

  private static final int MASKED = 0x80;
  private static final int LENGTH = 0x7F;
  private static final int LENGTH_16_BITS = 126;
  private static final int LENGTH_64_BITS = 127;
  private static final int KEY = 0x7A3C_51E9;

  private final RawClient client;

  private FrameClient(RawClient client) {
    this.client = client;
  }

  /** Returns the request that opens a WebSocket, with further fields. */
  public static byte[] handshake(String path, String... fields) {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "GET " + path + " HTTP/1.1",
                "Host: a",
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="));
    lines.addAll(List.of(fields));
    return Requests.lines(lines.toArray(String[]::new));
  }

  /** Opens a WebSocket. */
  public static FrameClient open(RawClient client, String path, String... fields) {
    client.send(handshake(path, fields));
    RawResponse response = client.read();
    assertThat(response.status()).isIn(101, 200);
    return new FrameClient(client);
  }

  /** Starts a server whose sockets have that listener, and opens one. */
  public static FrameClient open(Servers servers, WebSocketListener listener) {
    return open(servers, listener, Servers.LIMITS);
  }

  /** Starts a server with limits, whose sockets have that listener, and opens one. */
  public static FrameClient open(Servers servers, WebSocketListener listener, ServerLimits limits) {
    HttpServer server = servers.start((request, response) -> response.webSocket(listener), limits);
    return open(servers.connect(server), "/");
  }

  /** Opens a WebSocket through a proxy, which may write the response in ways of its own. */
  public static FrameClient openThroughProxy(RawClient client, String path, String... fields) {
    client.send(handshake(path, fields));
    assertThat(client.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 101 ");
    return new FrameClient(client);
  }

  /** Returns the connection below the frames. */
  public RawClient client() {
    return client;
  }

  // ---- sending ----

  /** Returns a masked frame. */
  public static byte[] frame(int firstByte, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(payload.length + 14);
    frame.put((byte) firstByte);
    if (payload.length < LENGTH_16_BITS) {
      frame.put((byte) (MASKED | payload.length));
    } else if (payload.length < 1 << Short.SIZE) {
      frame.put((byte) (MASKED | LENGTH_16_BITS)).putShort((short) payload.length);
    } else {
      frame.put((byte) (MASKED | LENGTH_64_BITS)).putLong(payload.length);
    }
    frame.putInt(KEY);
    for (int i = 0; i < payload.length; i++) {
      frame.put((byte) (payload[i] ^ (KEY >> (24 - 8 * (i % 4)))));
    }
    byte[] bytes = new byte[frame.position()];
    frame.get(0, bytes);
    return bytes;
  }

  /** Returns a masked frame with a text as its payload. */
  public static byte[] frame(int firstByte, String payload) {
    return frame(firstByte, payload.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the payload of a close frame. */
  public static byte[] closePayload(int code, String reason) {
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    payload.write(code >> Byte.SIZE);
    payload.write(code);
    payload.writeBytes(reason.getBytes(StandardCharsets.UTF_8));
    return payload.toByteArray();
  }

  public FrameClient send(int firstByte, String payload) {
    return send(frame(firstByte, payload));
  }

  public FrameClient send(int firstByte, byte[] payload) {
    return send(frame(firstByte, payload));
  }

  /** Sends bytes as they are. */
  public FrameClient send(byte[] bytes) {
    client.send(bytes);
    return this;
  }

  public FrameClient sendText(String text) {
    return send(FINAL | TEXT, text);
  }

  public FrameClient sendClose(int code, String reason) {
    return send(FINAL | CLOSE, closePayload(code, reason));
  }

  // ---- reading ----

  /** Reads a frame, which must not be masked, and have the shortest length. */
  public Frame read() {
    byte[] head = client.readBytes(2);
    assertThat(head[1] & MASKED).as("mask of a server's frame").isZero();
    long length = head[1] & LENGTH;
    if (length == LENGTH_16_BITS) {
      length = Short.toUnsignedInt(ByteBuffer.wrap(client.readBytes(2)).getShort());
      assertThat(length).isGreaterThanOrEqualTo(LENGTH_16_BITS);
    } else if (length == LENGTH_64_BITS) {
      length = ByteBuffer.wrap(client.readBytes(8)).getLong();
      assertThat(length).isGreaterThanOrEqualTo(1 << Short.SIZE);
    }
    return new Frame(head[0] & 0xFF, client.readBytes((int) length));
  }

  /** Reads a text message in one frame. */
  public String readText() {
    Frame frame = read();
    assertThat(frame.firstByte()).as("the first byte of a text message").isEqualTo(FINAL | TEXT);
    return frame.text();
  }

  /** Reads a close frame with that code, and returns its reason. */
  public String expectClose(int code) {
    Frame frame = read();
    assertThat(frame.firstByte()).as("the first byte of a close frame").isEqualTo(FINAL | CLOSE);
    assertThat(frame.code()).isEqualTo(code);
    return frame.reason();
  }

  /**
   * Expects a close frame with that code, answers it, and expects the end of the connection.
   * Returns the reason.
   */
  public String answerClose(int code) {
    String reason = expectClose(code);
    sendClose(code, "");
    expectEnd();
    return reason;
  }

  /** Expects that the server ends the connection, without another frame. */
  public void expectEnd() {
    client.expectEnd();
  }
}
