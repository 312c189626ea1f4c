package dev.peregrine.server.websocket.frame;

import dev.peregrine.parser.websocket.FrameEncoder;

/**
 * An array in which small frames are put together before they are copied into the outbound memory.
 * One per event loop.
 */
public final class FrameScratch {
  /** Bytes of payload that fit. */
  public static final int PAYLOAD_BYTES_MAX = 8 * 1024;

  /** The index of the payload; the head lies right before it. */
  public static final int PAYLOAD = FrameEncoder.HEAD_BYTES_MAX;

  /** The longest text that always fits, in chars. */
  public static final int CHARS_MAX = PAYLOAD_BYTES_MAX / 3;

  private static final int ASCII_END = 0x80;
  private static final int TWO_BYTES_END = 0x800;
  private static final int THREE_BYTES_END = 0x10000;
  private static final int LEADING_BITS = 0xFF; // as many of them as the character has bytes
  private static final int CONTINUATION = 0x80;
  private static final int CONTINUATION_MASK = 0x3F;
  private static final int CONTINUATION_BITS = 6;

  public final byte[] bytes = new byte[PAYLOAD + PAYLOAD_BYTES_MAX];

  /** Writes a head before a payload. Returns the index at which the frame begins. */
  public int head(int firstByte, int payloadLength) {
    int from = PAYLOAD - FrameEncoder.headBytes(payloadLength);
    FrameEncoder.head(bytes, from, firstByte, payloadLength);
    return from;
  }

  /**
   * Encodes a text of at most {@link #CHARS_MAX} chars as the payload, and returns its length.
   *
   * @throws IllegalArgumentException if it has a surrogate without its other half
   */
  public int encode(String text) {
    int at = PAYLOAD;
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c < ASCII_END) {
        bytes[at++] = (byte) c;
      } else if (Character.isSurrogate(c)) {
        char low = i + 1 < length ? text.charAt(i + 1) : 0;
        if (!Character.isSurrogatePair(c, low)) {
          throw new IllegalArgumentException("the text has a surrogate without its other half");
        }
        at = encode(Character.toCodePoint(c, low), at);
        i++;
      } else {
        at = encode(c, at);
      }
    }
    return at - PAYLOAD;
  }

  /** Encodes a code point that isn't ASCII; returns the index after it. */
  private int encode(int point, int at) {
    int end = at + (point < TWO_BYTES_END ? 2 : point < THREE_BYTES_END ? 3 : 4);
    int rest = point;
    for (int i = end - 1; i > at; i--) {
      bytes[i] = (byte) (CONTINUATION | (rest & CONTINUATION_MASK));
      rest >>= CONTINUATION_BITS;
    }
    bytes[at] = (byte) ((LEADING_BITS << (Byte.SIZE - (end - at))) | rest);
    return end;
  }
}
