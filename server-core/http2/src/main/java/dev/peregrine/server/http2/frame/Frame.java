package dev.peregrine.server.http2.frame;

/** The form of frames (RFC 9113 sections 4.1 and 6). */
public final class Frame {
  public static final int HEAD_BYTES = 9;

  /** The largest payload that every peer accepts, and the largest that this server accepts. */
  public static final int PAYLOAD_BYTES_MAX = 16_384;

  public static final int DATA = 0x0;
  public static final int HEADERS = 0x1;
  public static final int PRIORITY = 0x2;
  public static final int RST_STREAM = 0x3;
  public static final int SETTINGS = 0x4;
  public static final int PUSH_PROMISE = 0x5;
  public static final int PING = 0x6;
  public static final int GOAWAY = 0x7;
  public static final int WINDOW_UPDATE = 0x8;
  public static final int CONTINUATION = 0x9;
  public static final int PRIORITY_UPDATE = 0x10; // RFC 9218 section 7.1

  public static final int ACK = 0x1;
  public static final int END_STREAM = 0x1;
  public static final int END_HEADERS = 0x4;
  public static final int PADDED = 0x8;
  public static final int HAS_PRIORITY = 0x20;

  public static final int PRIORITY_BYTES = 5;
  public static final int PING_BYTES = 8;
  public static final int SETTING_BYTES = 6;

  private Frame() {}

  /** Writes the head of a frame. Returns the index after it. */
  public static int head(byte[] target, int at, int length, int type, int flags, int stream) {
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
