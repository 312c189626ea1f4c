package dev.peregrine.http.coding;

import org.jspecify.annotations.Nullable;

/**
 * The length that a handler has declared for content that is compressed. The client never sees it,
 * but more content is rejected, as it is without compression. Less content is not rejected, because
 * a handler that is about to throw also closes its stream early.
 */
final class DeclaredLength {
  static final long UNKNOWN = -1;

  private final long declared;
  private long written;
  private @Nullable IllegalStateException refusal;

  /** Sets the expected number of bytes; {@link #UNKNOWN} for any number. */
  DeclaredLength(long bytes) {
    declared = bytes;
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
