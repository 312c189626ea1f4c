package dev.peregrine.bench.codec;

import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Param;

/**
 * A text message and its echo without an operating system, per message: a masked frame in, the text
 * checked, a frame out. See {@link CodecBenchmark}.
 */
public class WebSocketCodecBenchmark extends RequestTurns {
  @Param({"32", "1024"})
  int bytes;

  private byte[] text() {
    return "a".repeat(bytes).getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  Codec open() {
    Codec codec = new Codec(new WebSocketFrames(text(), depth));
    codec.run(1); // the handshake
    return codec;
  }

  /** Checks that every message came back. */
  @Override
  void check(String written) {
    String head = new String(WebSocketFrames.head(bytes, 0), StandardCharsets.ISO_8859_1);
    String expected = (head + "a".repeat(bytes)).repeat(depth);
    if (!written.equals(expected)) {
      throw new IllegalStateException("the messages are wrong:\n" + written);
    }
  }
}
