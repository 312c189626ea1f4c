package dev.peregrine.grpc;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The bytes of a connection with a call on stream 1, and others, as a client sends them. */
final class RawCall {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;
  static final int PADDED = 8;

  private static final int SETTINGS = 4;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Begins with nothing, for what follows on a connection. */
  static RawCall empty() {
    return new RawCall();
  }

  /** Begins a call of a method, with further fields in pairs. */
  static RawCall of(String path, String... more) {
    return connection(new byte[0]).begin(1, path, more);
  }

  /** Begins a connection with settings (RFC 9113 section 6.5.1). */
  static RawCall connection(byte[] settings) {
    RawCall call = new RawCall();
    call.bytes.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    return call.frame(SETTINGS, 0, 0, settings).frame(SETTINGS, 1, 0, new byte[0]);
  }

  /** Begins a call on a stream. */
  RawCall begin(int stream, String path, String... more) {
    List<String> fields =
        new ArrayList<>(
            List.of(
                ":method", "POST", ":scheme", "http", ":path", path, ":authority", "a.example"));
    fields.addAll(List.of("content-type", "application/grpc", "te", "trailers"));
    fields.addAll(List.of(more));
    return frame(HEADERS, END_HEADERS, stream, block(fields));
  }

  /** Returns fields in pairs as a field block. */
  static byte[] block(List<String> fields) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (int i = 0; i < fields.size(); i += 2) {
      field(block, fields.get(i), fields.get(i + 1));
    }
    return block.toByteArray();
  }

  /** Adds a message in a frame of its own. */
  RawCall message(int flags, String text) {
    return frame(DATA, flags, 1, prefixed(text));
  }

  /** Returns a message with its prefix. */
  static byte[] prefixed(String text) {
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(5 + content.length)
        .put((byte) 0)
        .putInt(content.length)
        .put(content)
        .array();
  }

  /** Adds a frame. */
  RawCall frame(int type, int flags, int stream, byte[] content) {
    bytes.writeBytes(
        ByteBuffer.allocate(9 + content.length)
            .putInt(content.length << 8 | type)
            .put((byte) flags)
            .putInt(stream)
            .put(content)
            .array());
    return this;
  }

  /** Adds frames. */
  RawCall raw(byte[] frames) {
    bytes.writeBytes(frames);
    return this;
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  /** Adds a literal field that isn't indexed (RFC 7541 section 6.2.2). */
  private static void field(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    for (String text : new String[] {name, value}) {
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
  }
}
