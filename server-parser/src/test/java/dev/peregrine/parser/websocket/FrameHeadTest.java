package dev.peregrine.parser.websocket;

import static dev.peregrine.parser.websocket.FrameBytes.FIN;
import static dev.peregrine.parser.websocket.FrameBytes.KEY;
import static dev.peregrine.parser.websocket.FrameBytes.RSV1;
import static dev.peregrine.parser.websocket.FrameBytes.RSV2;
import static dev.peregrine.parser.websocket.FrameBytes.RSV3;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.parser.Allocations;
import dev.peregrine.parser.Segments;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads and their faults, whole, at every split and with every strict prefix. */
class FrameHeadTest {
  private static final int[] OPCODES = {
    Opcode.CONTINUATION, Opcode.TEXT, Opcode.BINARY, Opcode.CLOSE, Opcode.PING, Opcode.PONG
  };
  private static final long[] LENGTHS = {
    0, 1, 125, 126, 127, 255, 256, 0xFFFF, 0x1_0000, 1L << 31, 1L << 32, 1L << 56, Long.MAX_VALUE
  };

  /** A head in hexadecimal digits, of which {@code taken} bytes are read to find the fault. */
  record Wrong(FrameFault fault, int taken, String head) {
    static Wrong of(FrameFault fault, int taken, byte[] head) {
      return new Wrong(fault, taken, HexFormat.of().formatHex(head));
    }

    byte[] bytes() {
      return HexFormat.of().parseHex(head);
    }
  }

  static List<Wrong> wrong() {
    var wrong = new ArrayList<Wrong>();
    for (int opcode : OPCODES) {
      for (int reserved : new int[] {RSV1, RSV2, RSV3, RSV1 | RSV2, RSV1 | RSV2 | RSV3}) {
        wrong.add(
            Wrong.of(FrameFault.RESERVED_BITS, 1, FrameBytes.head(FIN | reserved | opcode, 1)));
      }
    }
    for (int opcode : new int[] {3, 4, 5, 6, 7, 11, 12, 13, 14, 15}) {
      wrong.add(Wrong.of(FrameFault.UNKNOWN_OPCODE, 1, FrameBytes.head(FIN | opcode, 1)));
      wrong.add(Wrong.of(FrameFault.UNKNOWN_OPCODE, 1, FrameBytes.head(opcode, 1)));
    }
    for (int opcode : new int[] {Opcode.CLOSE, Opcode.PING, Opcode.PONG}) {
      wrong.add(Wrong.of(FrameFault.CONTROL_FRAGMENTED, 1, FrameBytes.head(opcode, 1)));
      wrong.add(Wrong.of(FrameFault.CONTROL_TOO_LONG, 2, FrameBytes.head(FIN | opcode, 126)));
      wrong.add(Wrong.of(FrameFault.CONTROL_TOO_LONG, 2, FrameBytes.head(FIN | opcode, 0x1_0000)));
      wrong.add(Wrong.of(FrameFault.CONTROL_TOO_LONG, 2, FrameBytes.head16(FIN | opcode, 5)));
    }
    for (int opcode : OPCODES) {
      for (long length : new long[] {0, 125}) {
        wrong.add(
            Wrong.of(FrameFault.NOT_MASKED, 2, unmasked(FrameBytes.head(FIN | opcode, length))));
      }
    }
    wrong.add(
        Wrong.of(FrameFault.NOT_MASKED, 2, unmasked(FrameBytes.head(FIN | Opcode.TEXT, 126))));
    wrong.add(Wrong.of(FrameFault.NOT_MASKED, 2, unmasked(FrameBytes.head(Opcode.TEXT, 0x1_0000))));
    wrong.add(
        Wrong.of(FrameFault.NOT_MASKED, 2, unmasked(FrameBytes.head(FIN | Opcode.PING, 126))));
    for (int length : new int[] {0, 1, 125}) {
      wrong.add(Wrong.of(FrameFault.LENGTH_NOT_MINIMAL, 4, FrameBytes.head16(FIN | 1, length)));
    }
    for (long length : new long[] {0, 125, 126, 0xFFFF}) {
      wrong.add(Wrong.of(FrameFault.LENGTH_NOT_MINIMAL, 8, FrameBytes.head64(FIN | 2, length)));
    }
    for (long length : new long[] {Long.MIN_VALUE, -1}) {
      wrong.add(Wrong.of(FrameFault.LENGTH_TOO_LARGE, 3, FrameBytes.head64(FIN | 2, length)));
    }
    return wrong;
  }

  @Test
  void readsEveryOpcodeAndLengthAtEverySplit() {
    for (int opcode : OPCODES) {
      for (int flags : Opcode.isControl(opcode) ? new int[] {FIN} : new int[] {0, FIN}) {
        for (long length : LENGTHS) {
          if (length <= 125 || !Opcode.isControl(opcode)) {
            readsAtEverySplit(flags | opcode, length);
          }
        }
      }
    }
  }

  private static void readsAtEverySplit(int first, long length) {
    byte[] bytes = FrameBytes.head(first, length);
    for (byte[] presented : List.of(bytes, FrameBytes.followed(bytes))) {
      for (MemorySegment segment : forms(presented)) {
        for (int split = 0; split <= bytes.length; split++) {
          var head = new FrameHead();
          assertThat(head.isBegun()).isFalse();
          assertThat(head.read(segment, 3, 3 + split)).isEqualTo(3 + split);
          assertThat(head.isBegun()).isEqualTo(split > 0);
          assertThat(head.isComplete()).isEqualTo(split == bytes.length);
          assertThat(head.fault()).isNull();
          assertThat(head.read(segment, 3 + split, segment.byteSize())).isEqualTo(3 + bytes.length);
          assertIsHead(head, first, length);
        }
        readsByteByByte(segment, first, length, bytes.length);
      }
    }
  }

  private static void readsByteByByte(MemorySegment bytes, int first, long length, int headBytes) {
    var head = new FrameHead();
    for (int i = 0; i < headBytes; i++) {
      assertThat(head.isComplete()).isFalse();
      assertThat(head.read(bytes, 3 + i, 4 + i)).isEqualTo(4 + i);
    }
    assertIsHead(head, first, length);
  }

  private static void assertIsHead(FrameHead head, int first, long length) {
    assertThat(head.isComplete()).isTrue();
    assertThat(head.isBegun()).isTrue();
    assertThat(head.fault()).isNull();
    assertThat(head.isFinal()).isEqualTo((first & FIN) != 0);
    assertThat(head.opcode()).isEqualTo(first & 0xF);
    assertThat(head.reservedBits()).isEqualTo(first >> 4 & 7);
    assertThat(head.payloadLength()).isEqualTo(length);
    assertThat(head.maskingKey()).isEqualTo(KEY);
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void findsEachFaultAtTheFirstByteThatShowsIt(Wrong wrong) {
    for (byte[] presented : List.of(wrong.bytes(), FrameBytes.followed(wrong.bytes()))) {
      for (MemorySegment segment : forms(presented)) {
        for (int split = 0; split < wrong.taken; split++) {
          var head = new FrameHead();
          assertThat(head.read(segment, 3, 3 + split)).isEqualTo(3 + split);
          assertThat(head.fault()).isNull();
          assertThat(head.read(segment, 3 + split, segment.byteSize())).isEqualTo(3 + wrong.taken);
          assertThat(head.fault()).isEqualTo(wrong.fault);
          assertThat(head.isComplete()).isFalse();
          assertThat(head.isBegun()).isTrue();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Opcode.TEXT, Opcode.BINARY})
  void allowsTheFirstReservedBitAtTheStartOfAMessageOnly(int opcode) {
    for (int flags : new int[] {0, FIN}) {
      byte[] bytes = FrameBytes.head(flags | RSV1 | opcode, 5);
      var head = new FrameHead();
      head.allowCompression(true);
      readWhole(head, bytes);
      assertIsHead(head, flags | RSV1 | opcode, 5);
      head.clear();
      readWhole(head, bytes);
      assertIsHead(head, flags | RSV1 | opcode, 5);
      head.clear();
      head.allowCompression(false);
      readWhole(head, bytes);
      assertThat(head.fault()).isEqualTo(FrameFault.RESERVED_BITS);
    }
  }

  @Test
  void rejectsOtherReservedBitsWithCompression() {
    for (int first = 0; first <= 0xFF; first++) {
      int reserved = first & (RSV1 | RSV2 | RSV3);
      int opcode = first & 0xF;
      boolean allowed =
          reserved == 0 || (reserved == RSV1 && (opcode == Opcode.TEXT || opcode == Opcode.BINARY));
      var head = new FrameHead();
      head.allowCompression(true);
      readWhole(head, FrameBytes.head(first, 5));
      assertThat(head.fault() == FrameFault.RESERVED_BITS).as("%x", first).isEqualTo(!allowed);
    }
  }

  @Test
  void takesNothingAfterItsEndUntilItIsCleared() {
    var head = new FrameHead();
    MemorySegment bytes = Segments.exact(FrameBytes.followed(FrameBytes.head(FIN | 1, 7)));
    assertThat(head.read(bytes, 0, bytes.byteSize())).isEqualTo(6);
    assertThat(head.read(bytes, 6, bytes.byteSize())).isEqualTo(6);
    assertIsHead(head, FIN | 1, 7);
    head.clear();
    assertThat(head.isBegun()).isFalse();
    assertThat(head.isComplete()).isFalse();
    assertThat(head.read(bytes, 6, bytes.byteSize())).isEqualTo(7);
    assertThat(head.fault()).isEqualTo(FrameFault.RESERVED_BITS);
    assertThat(head.read(bytes, 7, bytes.byteSize())).isEqualTo(7);
    head.clear();
    assertThat(head.fault()).isNull();
    assertThat(head.isBegun()).isFalse();
  }

  @Test
  void forgetsTheHeadBefore() {
    var head = new FrameHead();
    for (long length : LENGTHS) {
      for (long next : LENGTHS) {
        readWhole(head, FrameBytes.head(1, length));
        head.clear();
        byte[] bytes = FrameBytes.head(FIN | 2, next);
        for (int i = 0; i < bytes.length; i++) {
          head.read(MemorySegment.ofArray(bytes), i, i + 1L);
        }
        assertIsHead(head, FIN | 2, next);
        head.clear();
      }
    }
  }

  @Test
  void doesNotCompleteAHeadThatLacksItsLastByte() {
    var head = new FrameHead();
    byte[] bytes = FrameBytes.head(FIN | 2, Long.MAX_VALUE);
    MemorySegment segment = MemorySegment.ofArray(bytes);
    assertThat(head.read(segment, 0, bytes.length - 1)).isEqualTo(13);
    assertThat(head.isComplete()).isFalse();
    head.clear();
    assertThat(head.read(segment, 0, bytes.length)).isEqualTo(14);
    assertIsHead(head, FIN | 2, Long.MAX_VALUE);
  }

  @Test
  void rejectsRangesOutsideTheSegment() {
    var head = new FrameHead();
    MemorySegment bytes = Segments.exact(new byte[10]);
    for (long[] range : new long[][] {{-1, 5}, {0, 11}, {6, 5}, {0, Long.MAX_VALUE}}) {
      assertThatThrownBy(() -> head.read(bytes, range[0], range[1]))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThat(head.isBegun()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void namesEachFaultInAReasonThatACloseFrameHolds(FrameFault fault) {
    assertThat(fault.text()).isNotEmpty();
    assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(fault.text())).isTrue();
    assertThat(fault.text().length()).isLessThanOrEqualTo(123);
  }

  @Test
  void allocatesNothing() {
    var head = new FrameHead();
    MemorySegment[] heads =
        wrong().stream().map(wrong -> Segments.exact(wrong.bytes())).toArray(MemorySegment[]::new);
    MemorySegment longest = Segments.exact(FrameBytes.head(FIN | 2, 1L << 40));
    assertThat(
            Allocations.least(
                () -> {
                  for (MemorySegment bytes : heads) {
                    head.clear();
                    head.read(bytes, 0, bytes.byteSize());
                  }
                  head.clear();
                  head.read(longest, 0, 5);
                  head.read(longest, 5, longest.byteSize());
                }))
        .isZero();
  }

  private static byte[] unmasked(byte[] head) {
    head[1] &= 0x7F;
    return head;
  }

  private static void readWhole(FrameHead head, byte[] bytes) {
    head.read(MemorySegment.ofArray(bytes), 0, bytes.length);
  }

  /** Returns the bytes after three others, in native memory and in an array. */
  private static List<MemorySegment> forms(byte[] bytes) {
    MemorySegment bytesInArray = MemorySegment.ofArray(new byte[bytes.length + 3]);
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, bytesInArray, 3, bytes.length);
    return List.of(Segments.aligned(bytes, 3, 0, (byte) 0), bytesInArray);
  }
}
