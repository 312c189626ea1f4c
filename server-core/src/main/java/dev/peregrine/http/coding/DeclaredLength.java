package dev.peregrine.http.coding;

/**
 * The length that a handler has declared for content that is compressed. The client never sees it,
 * but content of another length fails the exchange, as it does without compression.
 */
final class DeclaredLength {
  static final long UNKNOWN = -1;

  private final long declared;
  private long written;

  /** Expects that many bytes; {@link #UNKNOWN} for any number. */
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
      throw wrong(written + bytes);
    }
    written += bytes;
  }

  /** Returns true if fewer bytes have been written than were declared. */
  boolean isShort() {
    return declared != UNKNOWN && written < declared;
  }

  /** Creates the failure of content that is too short. */
  IllegalStateException tooShort() {
    return wrong(written);
  }

  private IllegalStateException wrong(long bytes) {
    return new IllegalStateException(
        "Content-Length was set to " + declared + ", but the content has " + bytes + " bytes");
  }
}
