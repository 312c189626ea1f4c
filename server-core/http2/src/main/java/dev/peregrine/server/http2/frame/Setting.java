package dev.peregrine.server.http2.frame;

/** Identifiers of settings (RFC 9113 section 6.5.2, RFC 8441 section 3, RFC 9218 section 2.1). */
public final class Setting {
  public static final int HEADER_TABLE_SIZE = 0x1;
  public static final int ENABLE_PUSH = 0x2;
  static final int MAX_CONCURRENT_STREAMS = 0x3;
  public static final int INITIAL_WINDOW_SIZE = 0x4;
  public static final int MAX_FRAME_SIZE = 0x5;
  static final int MAX_HEADER_LIST_SIZE = 0x6;
  static final int ENABLE_CONNECT_PROTOCOL = 0x8;
  public static final int NO_RFC7540_PRIORITIES = 0x9;

  public static final int WINDOW_DEFAULT = 65_535;
  public static final int TABLE_BYTES_DEFAULT = 4096;
  public static final int FRAME_SIZE_MAX = (1 << 24) - 1;

  private Setting() {}
}
