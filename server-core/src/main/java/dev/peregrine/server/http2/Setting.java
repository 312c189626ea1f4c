package dev.peregrine.server.http2;

/** Identifiers of settings (RFC 9113 section 6.5.2, RFC 8441 section 3, RFC 9218 section 2.1). */
final class Setting {
  static final int HEADER_TABLE_SIZE = 0x1;
  static final int ENABLE_PUSH = 0x2;
  static final int MAX_CONCURRENT_STREAMS = 0x3;
  static final int INITIAL_WINDOW_SIZE = 0x4;
  static final int MAX_FRAME_SIZE = 0x5;
  static final int MAX_HEADER_LIST_SIZE = 0x6;
  static final int ENABLE_CONNECT_PROTOCOL = 0x8;
  static final int NO_RFC7540_PRIORITIES = 0x9;

  static final int WINDOW_DEFAULT = 65_535;
  static final int TABLE_BYTES_DEFAULT = 4096;
  static final int FRAME_SIZE_MAX = (1 << 24) - 1;

  private Setting() {}
}
