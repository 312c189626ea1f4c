package dev.peregrine.server.http2;

/** The form of frames (RFC 9113 sections 4.1 and 6). */
final class Frame {
  static final int HEAD_BYTES = 9;

  /** The largest payload that every peer accepts, and the largest that this server accepts. */
  static final int PAYLOAD_BYTES_MAX = 16_384;

  static final int DATA = 0x0;
  static final int HEADERS = 0x1;
  static final int PRIORITY = 0x2;
  static final int RST_STREAM = 0x3;
  static final int SETTINGS = 0x4;
  static final int PUSH_PROMISE = 0x5;
  static final int PING = 0x6;
  static final int GOAWAY = 0x7;
  static final int WINDOW_UPDATE = 0x8;
  static final int CONTINUATION = 0x9;
  static final int PRIORITY_UPDATE = 0x10; // RFC 9218 section 7.1

  static final int ACK = 0x1;
  static final int END_STREAM = 0x1;
  static final int END_HEADERS = 0x4;
  static final int PADDED = 0x8;
  static final int HAS_PRIORITY = 0x20;

  static final int PRIORITY_BYTES = 5;
  static final int PING_BYTES = 8;
  static final int SETTING_BYTES = 6;

  private Frame() {}

  /** Writes the head of a frame. Returns the index after it. */
  static int head(byte[] target, int at, int length, int type, int flags, int stream) {
    target[at] = (byte) (length >>> 16);
    target[at + 1] = (byte) (length >>> 8);
    target[at + 2] = (byte) length;
    target[at + 3] = (byte) type;
    target[at + 4] = (byte) flags;
    return word(target, at + 5, stream);
  }

  /** Writes 32 bits. Returns the index after them. */
  static int word(byte[] target, int at, int value) {
    target[at] = (byte) (value >>> 24);
    target[at + 1] = (byte) (value >>> 16);
    target[at + 2] = (byte) (value >>> 8);
    target[at + 3] = (byte) value;
    return at + Integer.BYTES;
  }
}
