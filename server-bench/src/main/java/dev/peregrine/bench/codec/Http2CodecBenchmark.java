package dev.peregrine.bench.codec;

import dev.peregrine.bench.corpus.FieldList;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Param;

/**
 * Request to response over HTTP/2 without an operating system, per request: HEADERS in, with the
 * fields in the decoder's table, HEADERS and DATA with 13 bytes of text out. See {@link
 * CodecBenchmark}.
 */
public class Http2CodecBenchmark extends RequestTurns {
  private static final int HEADERS = 1;
  private static final int DATA = 0;

  /** A response with another date has it in full. */
  private static final int DATE_BYTES = 64;

  @Param({"BROWSER", "GRPC"})
  FieldList fields;

  @Override
  Codec open() {
    Codec codec = new Codec(new Http2Requests(fields, depth, Codec.hello().length));
    codec.run(2); // the preface, and the first response, whose fields enter the table
    return codec;
  }

  @Override
  long dateBytes() {
    return DATE_BYTES;
  }

  /** Checks that every response is a frame of HEADERS, and one of DATA that ends the stream. */
  @Override
  void check(String text) {
    byte[] content = Codec.hello();
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    for (int i = 0; i < depth; i++) {
      int headers = bytes.getInt();
      int headersFlags = bytes.get();
      int stream = bytes.getInt();
      bytes.position(bytes.position() + (headers >>> 8));
      int data = bytes.getInt();
      int dataFlags = bytes.get();
      byte[] received = new byte[data >>> 8];
      boolean right =
          (headers & 0xFF) == HEADERS
              && headersFlags == 4
              && (data & 0xFF) == DATA
              && dataFlags == 1
              && bytes.getInt() == stream
              && bytes.get(received) != null
              && new String(received, StandardCharsets.US_ASCII)
                  .equals(new String(content, StandardCharsets.US_ASCII));
      if (!right) {
        throw new IllegalStateException("response " + i + " is wrong:\n" + text);
      }
    }
    if (bytes.hasRemaining()) {
      throw new IllegalStateException("more than " + depth + " responses:\n" + text);
    }
  }
}
