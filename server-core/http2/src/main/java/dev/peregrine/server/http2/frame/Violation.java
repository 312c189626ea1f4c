package dev.peregrine.server.http2.frame;

/** A fault of a client that ends its connection (RFC 9113 section 5.4.1). */
public enum Violation {
  PREFACE_WRONG(ErrorCode.PROTOCOL_ERROR, "the connection preface is wrong"),
  FRAME_TOO_LARGE(ErrorCode.FRAME_SIZE_ERROR, "a frame of more than 16384 bytes"),
  FRAME_LENGTH(ErrorCode.FRAME_SIZE_ERROR, "a frame with a wrong length"),
  FRAME_PADDING(ErrorCode.PROTOCOL_ERROR, "padding longer than its frame"),
  FRAME_UNEXPECTED(ErrorCode.PROTOCOL_ERROR, "a frame that is not allowed there"),
  SETTINGS_FIRST(ErrorCode.PROTOCOL_ERROR, "the first frame is not SETTINGS"),
  SETTING_VALUE(ErrorCode.PROTOCOL_ERROR, "a setting with a value out of its range"),
  SETTING_WINDOW(ErrorCode.FLOW_CONTROL_ERROR, "a setting that makes a window too large"),
  STREAM_ID(ErrorCode.PROTOCOL_ERROR, "a stream identifier that is not allowed there"),
  STREAM_ENDED(ErrorCode.STREAM_CLOSED, "a frame of a stream that has ended"),
  BLOCK_INTERRUPTED(ErrorCode.PROTOCOL_ERROR, "another frame within a field block"),
  BLOCK_TOO_LARGE(ErrorCode.ENHANCE_YOUR_CALM, "a field block that is too large"),
  COMPRESSION(ErrorCode.COMPRESSION_ERROR, "a field block that can't be decoded"),
  WINDOW_OVERFLOW(ErrorCode.FLOW_CONTROL_ERROR, "a window of more than 2^31-1 bytes"),
  WINDOW_INCREMENT(ErrorCode.PROTOCOL_ERROR, "a window increment of 0"),
  PRIORITIES_TOO_MANY(
      ErrorCode.PROTOCOL_ERROR, "priorities of more streams than may be open at a time"),
  SETTINGS_UNACKNOWLEDGED(ErrorCode.SETTINGS_TIMEOUT, "no acknowledgement of the settings"),
  BLOCK_TOO_SLOW(ErrorCode.ENHANCE_YOUR_CALM, "a field block or frame took too long"),
  PINGS(ErrorCode.ENHANCE_YOUR_CALM, "too many PINGs"),
  FLOOD(ErrorCode.ENHANCE_YOUR_CALM, "too many frames that are no requests");

  private final int code;
  private final String text;

  Violation(int code, String text) {
    this.code = code;
    this.text = text;
  }

  /** Returns the code that is sent to the client. */
  public int code() {
    return code;
  }

  /** Returns the reason in words, for the log. */
  public String text() {
    return text;
  }
}
