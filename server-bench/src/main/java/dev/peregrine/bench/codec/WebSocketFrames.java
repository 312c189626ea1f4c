package dev.peregrine.bench.codec;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The bytes of a WebSocket client: its handshake, then in each read some text messages. */
final class WebSocketFrames implements ScriptedSocket.Script {
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
  private static final byte[] KEY = {0x7A, 0x3C, 0x51, (byte) 0xE9};

  private final ByteBuffer handshake = direct(HANDSHAKE.getBytes(StandardCharsets.US_ASCII));
  private final ByteBuffer messages;
  private boolean begun;

  /**
   * Creates a script.
   *
   * @param text the text of each message
   * @param depth messages of a read
   */
  WebSocketFrames(byte[] text, int depth) {
    byte[] masked = text.clone();
    for (int i = 0; i < masked.length; i++) {
      masked[i] ^= KEY[i % KEY.length];
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < depth; i++) {
      all.writeBytes(head(text.length, 0x80));
      all.writeBytes(KEY);
      all.writeBytes(masked);
    }
    messages = direct(all.toByteArray());
  }

  /** Returns the head of a text message, without the key. */
  static byte[] head(int length, int maskBit) {
    ByteBuffer head = ByteBuffer.allocate(length < 126 ? 2 : 4).put((byte) 0x81);
    if (length < 126) {
      head.put((byte) (maskBit | length));
    } else {
      head.put((byte) (maskBit | 126)).putShort((short) length);
    }
    return head.array();
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
  }

  @Override
  public ByteBuffer next() {
    if (begun) {
      return messages;
    }
    begun = true;
    return handshake;
  }
}
