package dev.peregrine.http.coding;

import org.jspecify.annotations.Nullable;

/**
 * The length that a handler has declared for content that is compressed. The client never sees it,
 * but more content is rejected, as it is without compression. Less content is not rejected, because
 * a handler that is about to throw also closes its stream early.
 */
final class DeclaredLength {
  static final long UNKNOWN = -1;

  private static final int DIGITS_MAX = 18; // a number with more digits may not fit into a long

  private final long declared;
  private long written;
  private @Nullable IllegalStateException refusal;

  /** Expects a number of bytes at most; any number if it is {@link #UNKNOWN}. */
  DeclaredLength(long bytes) {
    declared = bytes;
  }

  /** Returns the length that a field declares; {@link #UNKNOWN} for anything but 1 to 18 digits. */
  static long parse(String text) {
    if (text.isEmpty() || text.length() > DIGITS_MAX) {
      return UNKNOWN;
    }
    long length = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return UNKNOWN;
      }
      length = length * 10 + c - '0';
    }
    return length;
  }

  /**
   * Counts bytes that are about to be written.
   *
   * @throws IllegalStateException if they are more than were declared
   */
  void count(long bytes) {
    if (declared != UNKNOWN && bytes > declared - written) {
      IllegalStateException wrong =
          new IllegalStateException(
              "Content-Length was set to "
                  + declared
                  + ", but the content has "
                  + (written + bytes)
                  + " bytes");
      refusal = wrong;
      throw wrong;
    }
    written += bytes;
  }

  /**
   * Returns the reason why bytes were rejected, so that the content is incomplete; null if none
   * were.
   */
  @Nullable IllegalStateException refusal() {
    return refusal;
  }
}
