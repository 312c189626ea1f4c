package dev.peregrine.grpc;

import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answers of a server on a connection, by stream. */
final class RawAnswers {
  private static final int NO_ERROR = 0;

  /** The answer on a stream so far. */
  static final class Answer {
    final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private @Nullable CharSequence http;
    private @Nullable CharSequence status;
    private boolean ended;
    private int reset = -1;

    /** Returns what the stream has come to. */
    String outcome() {
      if (!ended) {
        return reset < 0 ? CallModel.OPEN : CallModel.RESET;
      }
      String ok = status == null ? CallModel.PAGE : "status " + status;
      String of = "200".contentEquals("" + http) ? ok : "http " + http;
      return reset <= NO_ERROR ? of : of + ", then reset " + reset;
    }

    boolean isEnded() {
      return ended || reset >= 0;
    }
  }

  private final DataInputStream in;
  private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder();
  private final Map<Integer, Answer> streams = new HashMap<>();
  private int pings;

  RawAnswers(InputStream in) {
    this.in = new DataInputStream(in);
  }

  Answer of(int stream) {
    return streams.computeIfAbsent(stream, _ -> new Answer());
  }

  /** Reads until a stream has ended. */
  void awaitEnd(int stream) throws Exception {
    while (!of(stream).isEnded()) {
      readFrame();
    }
  }

  /** Reads until a number of PINGs were answered. */
  void awaitPings(int count) throws Exception {
    while (pings < count) {
      readFrame();
    }
  }

  private void readFrame() throws Exception {
    int lengthAndType = in.readInt();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    byte[] content = in.readNBytes(lengthAndType >>> 8);
    switch (lengthAndType & 0xFF) {
      case RawCall.DATA -> of(stream).content.writeBytes(content);
      case RawCall.HEADERS -> addFields(of(stream), stream, content);
      case RawCall.RST_STREAM -> of(stream).reset = ByteBuffer.wrap(content).getInt();
      case RawCall.PING -> pings += flags & 1;
      case RawCall.GOAWAY ->
          throw new AssertionError("GOAWAY with error " + ByteBuffer.wrap(content).getInt(4));
      default -> {
        return;
      }
    }
    boolean mayEnd = (lengthAndType & 0xFF) <= RawCall.HEADERS;
    of(stream).ended |= mayEnd && (flags & RawCall.END_STREAM) != 0;
  }

  private void addFields(Answer answer, int stream, byte[] block) throws Exception {
    Http2Headers fields = decoder.decodeHeaders(stream, Unpooled.wrappedBuffer(block));
    answer.http = fields.status() == null ? answer.http : fields.status();
    CharSequence status = fields.get("grpc-status");
    answer.status = status == null ? answer.status : status;
  }
}
