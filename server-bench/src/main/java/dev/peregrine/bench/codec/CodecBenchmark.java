package dev.peregrine.bench.codec;

import dev.peregrine.bench.corpus.Corpus;
import org.openjdk.jmh.annotations.Param;

/**
 * Request to response without an operating system, per request. The event loop runs on its own
 * thread; JMH's thread requests thousands of turns at a time and sleeps meanwhile, so the cost of
 * the hand-over is negligible.
 */
public class CodecBenchmark extends RequestTurns {
  @Param Stage stage;

  @Override
  Codec open() {
    return new Codec(stage, Corpus.named("small").bytes(), depth);
  }

  /** Checks that every response is that of its stage. */
  @Override
  void check(String text) {
    String content = stage == Stage.JSON ? "{\"message\":\"Hello, World!\"}" : "Hello, World!";
    int from = 0;
    for (int i = 0; i < depth; i++) {
      int end = text.indexOf("\r\n\r\n", from);
      boolean right =
          text.startsWith("HTTP/1.1 200 OK\r\n", from)
              && end > 0
              && text.substring(from, end).contains("\r\nContent-Length: " + content.length())
              && text.startsWith(content, end + 4);
      if (!right) {
        throw new IllegalStateException("response " + i + " is wrong:\n" + text);
      }
      from = end + 4 + content.length();
    }
    if (from != text.length()) {
      throw new IllegalStateException("more than " + depth + " responses:\n" + text);
    }
  }
}
