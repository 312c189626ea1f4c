package dev.peregrine.parser.websocket;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The bytes of heads of masked frames, also of wrong ones. */
final class FrameBytes {
  static final int FIN = 0x80;
  static final int RSV1 = 0x40;
  static final int RSV2 = 0x20;
  static final int RSV3 = 0x10;
  static final int MASKED = 0x80;
  static final int KEY = 0x0D0C0B0A;

  private static final byte[] KEY_BYTES = {0x0A, 0x0B, 0x0C, 0x0D};

  private FrameBytes() {}

  /** Returns a head with the shortest form of the length. */
  static byte[] head(int first, long length) {
    if (length <= 125) {
      return masked(first, (int) length, new byte[0]);
    }
    return length <= 0xFFFF ? head16(first, (int) length) : head64(first, length);
  }

  static byte[] head16(int first, int length) {
    return masked(first, 126, ByteBuffer.allocate(2).putShort((short) length).array());
  }

  static byte[] head64(int first, long length) {
    return masked(first, 127, ByteBuffer.allocate(8).putLong(length).array());
  }

  private static byte[] masked(int first, int code, byte[] extended) {
    byte[] head = new byte[2 + extended.length + KEY_BYTES.length];
    head[0] = (byte) first;
    head[1] = (byte) (MASKED | code);
    System.arraycopy(extended, 0, head, 2, extended.length);
    System.arraycopy(KEY_BYTES, 0, head, 2 + extended.length, KEY_BYTES.length);
    return head;
  }

  /** Returns the bytes followed by others, which aren't part of the head. */
  static byte[] followed(byte[] head) {
    byte[] bytes = Arrays.copyOf(head, head.length + 20);
    Arrays.fill(bytes, head.length, bytes.length, (byte) 0xFF);
    return bytes;
  }
}
