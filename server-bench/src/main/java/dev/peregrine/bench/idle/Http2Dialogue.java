package dev.peregrine.bench.idle;

import dev.peregrine.bench.corpus.Http2Frames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Requests over HTTP/2, one after the other on each connection. */
final class Http2Dialogue implements Dialogue {
  private static final int END_STREAM = 1;
  private static final int GOAWAY = 7;
  private static final int BUFFER_BYTES = 64 * 1024;

  /** GET and http, then the path and the authority, both of which are inserted. */
  private static final byte[] FIRST_BLOCK = bytes("\u0082\u0086D\n/plaintextA\tlocalhost");

  /** The same fields from the tables. */
  private static final byte[] NEXT_BLOCK = bytes("\u0082\u0086\u00bf\u00be");

  private final int requests;
  private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);

  Http2Dialogue(int requests) {
    this.requests = requests;
  }

  private static byte[] bytes(String latin1) {
    return latin1.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Begins a connection, with as many requests as were asked for. */
  @Override
  public void begin(SocketChannel connection) throws IOException {
    connection.write(ByteBuffer.wrap(Http2Frames.begin()));
    for (int i = 0; i < requests; i++) {
      ask(connection, 2 * i + 1, i == 0 ? FIRST_BLOCK : NEXT_BLOCK);
    }
  }

  @Override
  public void askAgain(SocketChannel connection) throws IOException {
    ask(connection, 2 * requests + 1, NEXT_BLOCK);
  }

  private void ask(SocketChannel connection, int stream, byte[] block) throws IOException {
    connection.write(
        ByteBuffer.wrap(
            Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.WHOLE_REQUEST, stream, block)));
    in.clear();
    while (!isAnswered(stream)) {
      if (connection.read(in) < 0) {
        throw new IOException("the connection ended before the response of stream " + stream);
      }
    }
  }

  /** Takes the frames that have arrived. Returns true if one of them ends the stream. */
  private boolean isAnswered(int stream) throws IOException {
    boolean answered = false;
    in.flip();
    while (in.remaining() >= Http2Frames.HEAD_BYTES) {
      int at = in.position();
      int head = in.getInt(at);
      int end = at + Http2Frames.HEAD_BYTES + (head >>> 8);
      if (end > in.limit()) {
        break;
      }
      int type = head & 0xFF;
      if (type == GOAWAY) {
        throw new IOException("the server has ended the connection");
      }
      boolean ends = type <= Http2Frames.HEADERS && (in.get(at + 4) & END_STREAM) != 0;
      answered |= ends && in.getInt(at + 5) == stream;
      in.position(end);
    }
    in.compact();
    return answered;
  }
}
