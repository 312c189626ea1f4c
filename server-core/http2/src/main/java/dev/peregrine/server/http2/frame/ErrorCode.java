package dev.peregrine.server.http2.frame;

/** Reasons to end a stream or a connection (RFC 9113 section 7). */
public final class ErrorCode {
  public static final int NO_ERROR = 0x0;
  public static final int PROTOCOL_ERROR = 0x1;
  public static final int INTERNAL_ERROR = 0x2;
  public static final int FLOW_CONTROL_ERROR = 0x3;
  static final int SETTINGS_TIMEOUT = 0x4;
  public static final int STREAM_CLOSED = 0x5;
  public static final int FRAME_SIZE_ERROR = 0x6;
  public static final int REFUSED_STREAM = 0x7;
  public static final int CANCEL = 0x8;
  static final int COMPRESSION_ERROR = 0x9;
  public static final int ENHANCE_YOUR_CALM = 0xb;
  static final int HTTP_1_1_REQUIRED = 0xd;

  private ErrorCode() {}
}
