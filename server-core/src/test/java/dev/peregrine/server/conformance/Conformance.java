package dev.peregrine.server.conformance;

import dev.peregrine.http.Handler;
import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;

/** What other tests use of this package. */
public final class Conformance {
  private Conformance() {}

  /** Reads the whole content and answers with what it understood. */
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
