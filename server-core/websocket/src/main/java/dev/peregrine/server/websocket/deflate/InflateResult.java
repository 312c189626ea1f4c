package dev.peregrine.server.websocket.deflate;

/** The result of a step of {@link MessageInflater}. */
public enum InflateResult {
  /** The target is full, and there may be more bytes for another one. */
  MORE_OUTPUT(false),

  /** All input so far is decompressed. */
  NEEDS_INPUT(false),

  /** The message is complete. */
  END(false),

  /** The input isn't valid deflate data, or ends too early. */
  CORRUPT(true),

  /** The message has more bytes than its limit. */
  TOO_LARGE(true);

  private final boolean failure;

  InflateResult(boolean failure) {
    this.failure = failure;
  }

  /** Returns true if the message can't be decompressed: the session must fail. */
  public boolean isFailure() {
    return failure;
  }
}
