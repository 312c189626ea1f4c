package dev.peregrine.http.multipart;

import dev.peregrine.base.WarmUpThread;
import dev.peregrine.parser.multipart.DelimiterVectors;

/**
 * Gets the vectors of the search for delimiters compiled, only when a client has sent content that
 * is long enough. Until then it is searched by words.
 */
final class SearchWarmUp {
  /** A piece of this length makes it worthwhile. */
  private static final int LONG_BYTES_MIN = 1 << 12;

  private static final WarmUpThread THREAD =
      new WarmUpThread("peregrine-multipart-warm-up", () -> DelimiterVectors.warmUp(() -> false));

  private SearchWarmUp() {}

  /** Starts the warm-up if a piece of content would be searched faster after it. */
  static void onPiece(long bytes) {
    if (bytes >= LONG_BYTES_MIN && !DelimiterVectors.isWarm() && DelimiterVectors.isAvailable()) {
      THREAD.start();
    }
  }
}
