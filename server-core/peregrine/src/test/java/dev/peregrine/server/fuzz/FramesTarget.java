package dev.peregrine.server.fuzz;

import dev.peregrine.parser.websocket.FrameFault;
import dev.peregrine.parser.websocket.FrameHead;
import dev.peregrine.parser.websocket.Masking;
import dev.peregrine.parser.websocket.Opcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the frames of a WebSocket client have the heads, the faults and the unmasked payloads
 * that a plain reader finds, for every cut.
 *
 * <p>The first byte of an input is 1 if compression is allowed; the others are frames.
 */
final class FramesTarget {
  private static final int SHORT_LENGTH_MAX = 125;

  /** Frames of each kind, RFC 6455 section 5.7 and others. */
  private static final String[] SEEDS = {
    "00" + "818537fa213d7f9f4d5158" + "898537fa213d7f9f4d5158" + "8800" + "888000000000",
    "00" + "018337fa213d7f9f4d" + "808237fa213d5b95",
    "01" + "c18537fa213d7f9f4d5158" + "418137fa213d7f" + "808137fa213d7f",
    "00" + "82fe007e01020304" + "00".repeat(126) + "8a8001020304",
    "00" + "82ff000000000001000001020304" + "00".repeat(40),
    "00" + "82fe007d01020304",
    "00" + "82ff000000000000ffff01020304",
    "00" + "82ff800000000000000001020304",
    "00" + "89fe007e01020304",
    "00" + "098001020304",
    "00" + "838001020304"
  };

  private FramesTarget() {}

  static List<byte[]> seeds() {
    return Arrays.stream(SEEDS).map(HexFormat.of()::parseHex).toList();
  }

  static void run(byte[] data) {
    if (data.length == 0) {
      return;
    }
    boolean compression = data[0] == 1;
    byte[] frames = Arrays.copyOfRange(data, 1, data.length);
    String expected = readPlainly(frames, compression);
    for (List<byte[]> pieces : List.of(List.of(frames), Cuts.single(frames), Cuts.random(frames))) {
      check(expected, read(frames, pieces, compression));
    }
  }

  private static String read(byte[] frames, List<byte[]> pieces, boolean compression) {
    StringBuilder found = new StringBuilder();
    FrameHead head = new FrameHead();
    head.allowCompression(compression);
    long payloadAt = 0;
    long at = 0;
    try (Arena arena = Arena.ofConfined()) {
      // the bytes end with the memory
      MemorySegment bytes = arena.allocate(Math.max(1, frames.length)).asSlice(0, frames.length);
      bytes.copyFrom(MemorySegment.ofArray(frames));
      long to = 0;
      for (byte[] piece : pieces) {
        to += piece.length;
        while (at < to) {
          if (!head.isComplete()) {
            at = head.read(bytes, at, to);
            payloadAt = 0;
            if (head.fault() != null) {
              return found.append(head.fault()).append(" at ").append(at).toString();
            }
            if (head.isComplete()) {
              found.append(describe(head));
            }
          }
          if (head.isComplete()) {
            long end = at + Math.min(to - at, head.payloadLength() - payloadAt);
            Masking.apply(bytes, at, end, head.maskingKey(), (int) (payloadAt & 3));
            byte[] payload = bytes.asSlice(at, end - at).toArray(ValueLayout.JAVA_BYTE);
            found.append(HexFormat.of().formatHex(payload));
            payloadAt += end - at;
            at = end;
            if (payloadAt == head.payloadLength()) {
              head.clear();
            }
          }
        }
      }
    }
    return found.toString();
  }

  private static String describe(FrameHead head) {
    return describe(
        head.isFinal(), head.reservedBits(), head.opcode(), Long.toString(head.payloadLength()));
  }

  private static String describe(boolean last, int reserved, int opcode, String length) {
    return " %b %d %d %s ".formatted(last, reserved, opcode, length);
  }

  private static String readPlainly(byte[] frames, boolean compression) {
    StringBuilder found = new StringBuilder();
    int at = 0;
    while (at < frames.length) {
      for (int bytes = 1; at + bytes <= frames.length; bytes++) {
        FrameFault fault = fault(Arrays.copyOfRange(frames, at, at + bytes), compression);
        if (fault != null) {
          return found.append(fault).append(" at ").append(at + bytes).toString();
        }
      }
      int lengthBytes = at + 1 < frames.length ? lengthBytes(frames[at + 1]) : 0;
      int payloadAt = at + 2 + lengthBytes + 4;
      if (payloadAt > frames.length) {
        return found.toString();
      }
      BigInteger length =
          lengthBytes == 0
              ? BigInteger.valueOf(frames[at + 1] & 0x7F)
              : new BigInteger(1, frames, at + 2, lengthBytes);
      found.append(
          describe(frames[at] < 0, frames[at] >> 4 & 7, frames[at] & 0xF, length.toString()));
      int end = length.min(BigInteger.valueOf(frames.length - payloadAt)).intValue() + payloadAt;
      for (int i = payloadAt; i < end; i++) {
        byte unmasked = (byte) (frames[i] ^ frames[payloadAt - 4 + (i - payloadAt) % 4]);
        found.append(HexFormat.of().toHexDigits(unmasked));
      }
      at = end;
    }
    return found.toString();
  }

  private static int lengthBytes(byte second) {
    int code = second & 0x7F;
    return code <= SHORT_LENGTH_MAX ? 0 : code == 126 ? 2 : 8;
  }

  /** Returns the fault that the last of these first bytes of a frame shows. */
  private static @Nullable FrameFault fault(byte[] frame, boolean compression) {
    int opcode = frame[0] & 0xF;
    if (frame.length == 1) {
      boolean compressed = compression && opcode >= Opcode.TEXT && opcode <= Opcode.BINARY;
      if ((frame[0] & (compressed ? 0x30 : 0x70)) != 0) {
        return FrameFault.RESERVED_BITS;
      }
      if ((opcode > 2 && opcode < 8) || opcode > 10) {
        return FrameFault.UNKNOWN_OPCODE;
      }
      return opcode >= 8 && frame[0] >= 0 ? FrameFault.CONTROL_FRAGMENTED : null;
    }
    if (frame.length == 2) {
      if (frame[1] >= 0) {
        return FrameFault.NOT_MASKED;
      }
      return opcode >= 8 && (frame[1] & 0x7F) > SHORT_LENGTH_MAX
          ? FrameFault.CONTROL_TOO_LONG
          : null;
    }
    return lengthFault(frame, lengthBytes(frame[1]));
  }

  private static @Nullable FrameFault lengthFault(byte[] frame, int lengthBytes) {
    int taken = frame.length - 2;
    if (taken > lengthBytes) {
      return null;
    }
    if (lengthBytes == 8 && taken == 1 && frame[2] < 0) {
      return FrameFault.LENGTH_TOO_LARGE;
    }
    // the most that the length can be, whatever the bytes are that are missing
    byte[] length = Arrays.copyOf(Arrays.copyOfRange(frame, 2, frame.length), lengthBytes);
    Arrays.fill(length, taken, lengthBytes, (byte) 0xFF);
    int shorterMax = lengthBytes == 2 ? SHORT_LENGTH_MAX : 0xFFFF;
    boolean tooSmall = new BigInteger(1, length).compareTo(BigInteger.valueOf(shorterMax)) <= 0;
    return tooSmall ? FrameFault.LENGTH_NOT_MINIMAL : null;
  }

  private static void check(String expected, String actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError(actual + ", not " + expected);
    }
  }
}
