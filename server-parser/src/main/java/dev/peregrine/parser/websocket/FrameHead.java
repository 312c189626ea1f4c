package dev.peregrine.parser.websocket;

import dev.peregrine.parser.scan.Memory;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The head of a frame from a client (RFC 6455 section 5.2), read in any pieces without allocation.
 * A fault is found at the first byte that shows it. The head keeps what it has read, so that the
 * bytes needn't be presented again. Belongs to one connection at a time.
 *
 * <p>
 *
 * {@snippet :
 * var head = new FrameHead();
 * long at = head.read(bytes, from, to);
 * if (head.isComplete()) {
 *   payload(head.opcode(), bytes, at, head.payloadLength());
 *   head.clear();
 * } else if (head.fault() != null) {
 *   close(PROTOCOL_ERROR, head.fault().text());
 * }
 * }
 *
 * <p>Whether a continuation frame, or a new message, is allowed at this point is for the caller to
 * decide.
 */
public final class FrameHead {
  private static final int RESERVED_1 = 0x40;
  private static final int RESERVED = 0x70;
  private static final int RESERVED_SHIFT = 4;
  private static final int OPCODE = 0x0F;

  private static final int MASKED = 0x80;
  private static final int LENGTH = 0x7F;
  private static final int LENGTH_OF_16_BITS = 126;
  private static final int LENGTH_OF_64_BITS = 127;
  private static final int SHORT_LENGTH_MAX = 125;
  private static final int SIGN = 0x80;

  private static final int FIXED_BYTES = 2;
  private static final int KEY_BYTES = 4;
  private static final int SHORT_HEAD_BYTES = FIXED_BYTES + KEY_BYTES;
  private static final int MEDIUM_HEAD_BYTES = SHORT_HEAD_BYTES + Short.BYTES;

  /** The longest head, in bytes. */
  public static final int BYTES_MAX = SHORT_HEAD_BYTES + Long.BYTES;

  /** If a length of 64 bits is still zero after these bytes, it would have fitted into 16 bits. */
  private static final int NOT_MINIMAL_BYTES = FIXED_BYTES + Long.BYTES - Short.BYTES;

  private boolean compressionAllowed;
  private int taken;
  private int headBytes = SHORT_HEAD_BYTES;
  private int first;
  private long payloadLength;
  private int maskingKey;
  private @Nullable FrameFault fault;

  /** Creates a head of which no byte was taken. */
  public FrameHead() {}

  /**
   * Sets whether a data frame that starts a message may have the bit RSV1, which marks compressed
   * messages (RFC 7692 section 6). It may not in a new object; {@link #clear} doesn't change it.
   */
  public void allowCompression(boolean allowed) {
    compressionAllowed = allowed;
  }

  /** Begins the head of another frame. */
  public void clear() {
    taken = 0;
    headBytes = SHORT_HEAD_BYTES;
    payloadLength = 0;
    maskingKey = 0;
    fault = null;
  }

  /**
   * Continues with the bytes in {@code [from, to)}, the first of which follows the last one that
   * was taken. It takes all bytes unless the head becomes complete or has a fault. After that it
   * takes none until {@link #clear}.
   *
   * @return the index after the bytes that were taken
   * @throws IndexOutOfBoundsException if the range is not in the segment
   */
  public long read(MemorySegment bytes, long from, long to) {
    Objects.checkFromToIndex(from, to, bytes.byteSize());
    if (taken == 0 && to - from >= Long.BYTES) {
      readWhole(Memory.longAt(bytes, from));
      if (taken != 0) {
        return from + taken;
      }
    }
    long at = from;
    while (at < to && taken != headBytes && fault == null) {
      fault = accept(Memory.byteAt(bytes, at) & 0xFF);
      taken++;
      at++;
    }
    return at;
  }

  /** Returns true if some bytes of the head were taken. */
  public boolean isBegun() {
    return taken != 0;
  }

  /** Returns true if the head was read to its end and has no fault. */
  public boolean isComplete() {
    return taken == headBytes;
  }

  /** Returns the fault of the bytes that were taken, or null. */
  public @Nullable FrameFault fault() {
    return fault;
  }

  /** Returns true if the frame is the last of its message; once the head is complete. */
  public boolean isFinal() {
    return (first & FrameEncoder.FINAL) != 0;
  }

  /** Returns RSV1 as 4, RSV2 as 2 and RSV3 as 1, added up; once the head is complete. */
  public int reservedBits() {
    return (first & RESERVED) >>> RESERVED_SHIFT;
  }

  /** Returns one of the constants of {@link Opcode}; once the head is complete. */
  public int opcode() {
    return first & OPCODE;
  }

  /** Returns the key in the form that {@link Masking} needs; once the head is complete. */
  public int maskingKey() {
    return maskingKey;
  }

  /** Returns the number of bytes of the payload, from 0 on; once the head is complete. */
  public long payloadLength() {
    return payloadLength;
  }

  /** Takes a valid head of up to eight bytes. Any other is read byte by byte, to find its fault. */
  private void readWhole(long word) {
    int flags = (int) word & 0xFF;
    int lengthByte = (int) (word >>> Byte.SIZE) & 0xFF;
    if (faultOf(flags) != null || (lengthByte & MASKED) == 0) {
      return;
    }
    int length = lengthByte & LENGTH;
    if (length <= SHORT_LENGTH_MAX) {
      take(SHORT_HEAD_BYTES, flags, length, (int) (word >>> Short.SIZE));
    } else if (length == LENGTH_OF_16_BITS && !Opcode.isControl(flags & OPCODE)) {
      int extended = Short.toUnsignedInt(Short.reverseBytes((short) (word >>> Short.SIZE)));
      if (extended > SHORT_LENGTH_MAX) {
        take(MEDIUM_HEAD_BYTES, flags, extended, (int) (word >>> Integer.SIZE));
      }
    }
  }

  private void take(int bytes, int flags, int length, int key) {
    taken = bytes;
    headBytes = bytes;
    first = flags;
    payloadLength = length;
    maskingKey = key;
  }

  private @Nullable FrameFault accept(int value) {
    if (taken == 0) {
      first = value;
      return faultOf(value);
    }
    if (taken == 1) {
      return acceptLength(value);
    }
    int keyStart = headBytes - KEY_BYTES;
    if (taken >= keyStart) {
      maskingKey |= value << ((taken - keyStart) * Byte.SIZE);
      return null;
    }
    return acceptExtendedLength(value);
  }

  private @Nullable FrameFault faultOf(int flags) {
    int opcode = flags & OPCODE;
    int reserved = flags & RESERVED;
    if (reserved != 0 && !(reserved == RESERVED_1 && compressionAllowed && startsMessage(opcode))) {
      return FrameFault.RESERVED_BITS;
    }
    if (!Opcode.isKnown(opcode)) {
      return FrameFault.UNKNOWN_OPCODE;
    }
    return Opcode.isControl(opcode) && (flags & FrameEncoder.FINAL) == 0
        ? FrameFault.CONTROL_FRAGMENTED
        : null;
  }

  private static boolean startsMessage(int opcode) {
    return opcode == Opcode.TEXT || opcode == Opcode.BINARY;
  }

  private @Nullable FrameFault acceptLength(int value) {
    if ((value & MASKED) == 0) {
      return FrameFault.NOT_MASKED;
    }
    int length = value & LENGTH;
    if (length <= SHORT_LENGTH_MAX) {
      payloadLength = length;
      return null;
    }
    headBytes = length == LENGTH_OF_64_BITS ? BYTES_MAX : MEDIUM_HEAD_BYTES;
    return Opcode.isControl(opcode()) ? FrameFault.CONTROL_TOO_LONG : null;
  }

  private @Nullable FrameFault acceptExtendedLength(int value) {
    payloadLength = (payloadLength << Byte.SIZE) | value;
    int lengthBytes = taken + 1;
    if (headBytes == MEDIUM_HEAD_BYTES) {
      return lengthBytes == FIXED_BYTES + Short.BYTES && payloadLength <= SHORT_LENGTH_MAX
          ? FrameFault.LENGTH_NOT_MINIMAL
          : null;
    }
    if (taken == FIXED_BYTES && (value & SIGN) != 0) {
      return FrameFault.LENGTH_TOO_LARGE;
    }
    return lengthBytes == NOT_MINIMAL_BYTES && payloadLength == 0
        ? FrameFault.LENGTH_NOT_MINIMAL
        : null;
  }
}
