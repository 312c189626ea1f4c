package dev.peregrine.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A client of a WebSocket over HTTP/2 (RFC 8441), by frames: the JDK's has none. */
final class Http2Socket implements AutoCloseable {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int ENABLE_CONNECT_PROTOCOL = 8;
  private static final int STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int INDEXED_STATUS_200 = 0x88; // RFC 7541, appendix A
  private static final int MASKED = 0x80;
  private static final int FINAL_TEXT = 0x81;
  private static final int FINAL_CLOSE = 0x88;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final ByteArrayOutputStream received = new ByteArrayOutputStream(); // of the stream

  /** Opens a socket by an extended CONNECT, and checks that the server has offered that. */
  Http2Socket(Socket connected, String scheme, String path) throws IOException {
    socket = connected;
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    write(SETTINGS, 0, 0, new byte[0]);
    assertThat(offersConnect(next(SETTINGS))).isTrue();
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    add(block, ":method", "CONNECT");
    add(block, ":protocol", "websocket");
    add(block, ":scheme", scheme);
    add(block, ":path", path);
    add(block, ":authority", "localhost");
    add(block, "sec-websocket-version", "13");
    write(HEADERS, END_HEADERS, STREAM, block.toByteArray());
    assertThat(next(HEADERS).get() & 0xff).isEqualTo(INDEXED_STATUS_200);
  }

  /** Adds a literal field (RFC 7541, section 6.2.2). */
  private static void add(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    for (String text : new String[] {name, value}) {
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private static boolean offersConnect(ByteBuffer settings) {
    while (settings.hasRemaining()) {
      if (settings.getShort() == ENABLE_CONNECT_PROTOCOL) {
        return settings.getInt() == 1;
      }
      settings.getInt();
    }
    return false;
  }

  private void write(int type, int flags, int stream, byte[] content) throws IOException {
    out.write(content.length >> 16);
    out.writeShort(content.length);
    out.write(type);
    out.write(flags);
    out.writeInt(stream);
    out.write(content);
    out.flush();
  }

  /** Returns the content of the next frame of a type. */
  private ByteBuffer next(int type) throws IOException {
    while (true) {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      int found = in.readUnsignedByte();
      in.skipNBytes(1 + Integer.BYTES); // the flags and the stream
      ByteBuffer content = ByteBuffer.wrap(in.readNBytes(length));
      if (found == type) {
        return content;
      }
    }
  }

  void sendText(String text) throws IOException {
    send(FINAL_TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  void sendClose(int code) throws IOException {
    send(FINAL_CLOSE, new byte[] {(byte) (code >> 8), (byte) code});
  }

  /** Sends a frame of at most 125 bytes, whose mask changes nothing. */
  private void send(int opcode, byte[] content) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(6 + content.length);
    frame.put((byte) opcode).put((byte) (MASKED | content.length)).putInt(0).put(content);
    write(DATA, 0, STREAM, frame.array());
  }

  /** Returns the next text that the server sends, of at most 125 bytes. */
  String nextText() throws IOException {
    byte[] frame = receive(2);
    assertThat(frame[0] & 0xff).isEqualTo(FINAL_TEXT);
    return new String(receive(frame[1]), StandardCharsets.UTF_8);
  }

  private byte[] receive(int bytes) throws IOException {
    while (received.size() < bytes) {
      received.writeBytes(next(DATA).array());
    }
    ByteBuffer all = ByteBuffer.wrap(received.toByteArray());
    byte[] first = new byte[bytes];
    all.get(first);
    received.reset();
    received.write(all.array(), all.position(), all.remaining());
    return first;
  }

  /** Ends the connection. */
  @Override
  public void close() throws IOException {
    socket.close();
  }
}
