package dev.peregrine.server.conformance;

import dev.peregrine.http.Handler;
import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;

/** The parts of this package that other tests use. */
public final class Conformance {
  private Conformance() {}

  /**
   * Returns a handler that reads the whole content and answers with the request as it was parsed.
   */
  public static Handler handler() {
    return new CorpusHandler();
  }

  /**
   * Fails unless the bytes are responses by the letter of RFC 9112.
   *
   * @param isHead whether the final response of that number answers a HEAD
   */
  public static void requireWellFramed(byte[] written, IntPredicate isHead) {
    WireResponses.parse(written, isHead);
  }

  public static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
