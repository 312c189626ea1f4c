package dev.peregrine.bench.corpus;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The handshake of a WebSocket, and text messages in one frame each (RFC 6455). */
public final class WebSocketFrames {
  private static final String HANDSHAKE =
      """
      GET /ws HTTP/1.1\r
      Host: localhost\r
      Connection: Upgrade\r
      Upgrade: websocket\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      \r
      """;
  private static final byte FINAL_TEXT = (byte) 0x81;
  private static final int MASKED = 0x80;
  private static final int SHORT_BYTES_MAX = 125; // a length that needs no field of its own
  private static final int LENGTH_OF_TWO_BYTES = 126;
  private static final byte[] KEY = {0x7A, 0x3C, 0x51, (byte) 0xE9};

  private WebSocketFrames() {}

  /** Returns the request that opens a WebSocket. */
  public static byte[] handshake() {
    return HANDSHAKE.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the frame in which a client sends a text of at most 65,535 bytes. */
  public static byte[] fromClient(byte[] text) {
    byte[] masked = text.clone();
    for (int i = 0; i < masked.length; i++) {
      masked[i] ^= KEY[i % KEY.length];
    }
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.writeBytes(head(text.length, MASKED));
    frame.writeBytes(KEY);
    frame.writeBytes(masked);
    return frame.toByteArray();
  }

  /** Returns the frame in which a server sends a text of at most 65,535 bytes. */
  public static byte[] fromServer(byte[] text) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.writeBytes(head(text.length, 0));
    frame.writeBytes(text);
    return frame.toByteArray();
  }

  private static byte[] head(int length, int mask) {
    if (length <= SHORT_BYTES_MAX) {
      return new byte[] {FINAL_TEXT, (byte) (mask | length)};
    }
    return ByteBuffer.allocate(4)
        .put(FINAL_TEXT)
        .put((byte) (mask | LENGTH_OF_TWO_BYTES))
        .putShort((short) length)
        .array();
  }
}
