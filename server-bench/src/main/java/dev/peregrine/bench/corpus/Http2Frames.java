package dev.peregrine.bench.corpus;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The frames that a client of HTTP/2 sends (RFC 9113 section 4.1). */
public final class Http2Frames {
  /** The bytes before a payload. */
  public static final int HEAD_BYTES = 9;

  /** The type of frames with a field block. */
  public static final int HEADERS = 1;

  /** The type of frames that grant more content to the server. */
  public static final int WINDOW_UPDATE = 8;

  /** The flags of HEADERS with a whole request: END_STREAM and END_HEADERS. */
  public static final int WHOLE_REQUEST = 5;

  private static final int SETTINGS = 4;
  private static final int ACK = 1;

  private Http2Frames() {}

  /** Returns the first bytes of a connection: the preface, own settings, and an acknowledgement. */
  public static byte[] begin() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    bytes.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
    bytes.writeBytes(frame(SETTINGS, ACK, 0, new byte[0]));
    return bytes.toByteArray();
  }

  /** Returns a frame. */
  public static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(HEAD_BYTES + payload.length)
        .putInt(payload.length << 8 | type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }
}
