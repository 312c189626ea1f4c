package dev.peregrine.bench.codec;

import dev.peregrine.bench.corpus.WebSocketFrames;
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
    Codec codec = new Codec(new WebSocketMessages(text(), depth));
    codec.run(1); // the handshake
    return codec;
  }

  /** Checks that every message came back. */
  @Override
  void check(String written) {
    String echo = new String(WebSocketFrames.fromServer(text()), StandardCharsets.ISO_8859_1);
    String expected = echo.repeat(depth);
    if (!written.equals(expected)) {
      throw new IllegalStateException("the messages are wrong:\n" + written);
    }
  }
}
