package dev.peregrine.parser.websocket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes frames that aren't masked, as a server sends them (RFC 6455 section 5.2). */
public final class FrameEncoder {
  /** The bit of the first byte that says that the frame ends its message. */
  public static final int FINAL = 0x80;

  /** The bit of the first byte that says that the message is compressed (RFC 7692 section 6). */
  public static final int COMPRESSED = 0x40;

  /** The longest head, in bytes. */
  public static final int HEAD_BYTES_MAX = 10;

  private static final int SHORT_HEAD_BYTES = 2;
  private static final int MEDIUM_HEAD_BYTES = 4;
  private static final int SHORT_LENGTH_MAX = 125;
  private static final int MEDIUM_LENGTH_MAX = 0xFFFF;
  private static final int LENGTH_OF_16_BITS = 126;
  private static final int LENGTH_OF_64_BITS = 127;

  private static final VarHandle ARRAY_SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle ARRAY_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle ARRAY_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private FrameEncoder() {}

  /** Returns the length of the head of a frame with such a payload: 2, 4 or 10 bytes. */
  public static int headBytes(long payloadLength) {
    if (payloadLength <= SHORT_LENGTH_MAX) {
      return SHORT_HEAD_BYTES;
    }
    return payloadLength <= MEDIUM_LENGTH_MAX ? MEDIUM_HEAD_BYTES : HEAD_BYTES_MAX;
  }

  /**
   * Writes a head, of {@link #headBytes} bytes.
   *
   * @param at the index of the head's first byte
   * @param firstByte FIN, the reserved bits and the opcode, as on the wire
   * @param payloadLength in bytes, from 0 on
   * @throws IndexOutOfBoundsException if the target has no room for the head
   */
  public static void head(byte[] target, int at, int firstByte, long payloadLength) {
    if (payloadLength <= SHORT_LENGTH_MAX) {
      ARRAY_SHORT.set(target, at, twoBytes(firstByte, (int) payloadLength));
    } else if (payloadLength <= MEDIUM_LENGTH_MAX) {
      ARRAY_INT.set(target, at, fourBytes(firstByte, (int) payloadLength));
    } else {
      ARRAY_LONG.set(target, at + Short.BYTES, payloadLength);
      ARRAY_SHORT.set(target, at, twoBytes(firstByte, LENGTH_OF_64_BITS));
    }
  }

  /**
   * Returns a frame in an array of its own.
   *
   * @param payload the remaining bytes; the buffer isn't changed
   */
  public static byte[] frame(int firstByte, ByteBuffer payload) {
    int length = payload.remaining();
    int headBytes = headBytes(length);
    byte[] frame = new byte[Math.addExact(headBytes, length)];
    head(frame, 0, firstByte, length);
    payload.get(payload.position(), frame, headBytes, length);
    return frame;
  }

  private static short twoBytes(int firstByte, int lengthByte) {
    return (short) (firstByte << Byte.SIZE | lengthByte);
  }

  private static int fourBytes(int firstByte, int length) {
    return twoBytes(firstByte, LENGTH_OF_16_BITS) << Short.SIZE | length;
  }
}
