package dev.peregrine.parser.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.parser.Allocations;
import dev.peregrine.parser.GuardedPage;
import dev.peregrine.parser.Segments;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Masking against a loop over bytes. */
class MaskingTest {
  private static final int LENGTH_MAX = 200;
  private static final int OFFSET_MAX = 16;
  private static final byte[] KEY = {(byte) 0x81, 0x0B, (byte) 0xFC, 0x7D};
  private static final int KEY_INT = 0x7DFC0B81;

  @Test
  void masksAnyLengthAtAnyOffsetAndPhaseInNativeMemory() {
    for (int offset = 0; offset < OFFSET_MAX; offset++) {
      for (int length = 0; length <= LENGTH_MAX; length++) {
        for (int phase = 0; phase < KEY.length; phase++) {
          byte[] bytes = random(OFFSET_MAX + length + OFFSET_MAX);
          MemorySegment segment = Segments.exact(bytes);
          Masking.apply(segment, offset, offset + length, KEY_INT, phase);
          assertThat(segment.toArray(ValueLayout.JAVA_BYTE))
              .isEqualTo(masked(bytes, offset, offset + length, phase));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 4096, 16_384, 65_536, 1 << 20})
  void masksLongPayloads(int length) {
    for (int offset : new int[] {0, 1, 7, 31, 63, 64}) {
      for (int missing : new int[] {0, 1, 9, 100}) {
        byte[] bytes = random(offset + length);
        MemorySegment segment = Segments.exact(bytes);
        Masking.apply(segment, offset, bytes.length - missing, KEY_INT, offset);
        assertThat(segment.toArray(ValueLayout.JAVA_BYTE))
            .isEqualTo(masked(bytes, offset, bytes.length - missing, offset));
      }
    }
  }

  @Test
  void masksArrays() {
    for (int length = 0; length <= LENGTH_MAX; length++) {
      byte[] bytes = random(3 + length);
      byte[] expected = masked(bytes, 2, 2 + length, length);
      Masking.apply(MemorySegment.ofArray(bytes), 2, 2 + length, KEY_INT, length);
      assertThat(bytes).isEqualTo(expected);
    }
  }

  @Test
  void masksInPiecesAsWhole() {
    byte[] bytes = random(LENGTH_MAX);
    byte[] expected = masked(bytes, 0, LENGTH_MAX, 0);
    for (int first = 0; first <= LENGTH_MAX; first++) {
      for (int second = first; second <= Math.min(first + 9, LENGTH_MAX); second++) {
        MemorySegment segment = Segments.exact(bytes);
        Masking.apply(segment, 0, first, KEY_INT, 0);
        Masking.apply(segment, first, second, KEY_INT, first);
        Masking.apply(segment, second, LENGTH_MAX, KEY_INT, second);
        assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
      }
    }
  }

  @Test
  void takesAnyPhaseModuloFour() {
    byte[] bytes = random(20);
    for (int phase : new int[] {4, 9, 65_537, 1 << 30, Integer.MAX_VALUE}) {
      MemorySegment segment = Segments.exact(bytes);
      Masking.apply(segment, 0, 20, KEY_INT, phase);
      assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(masked(bytes, 0, 20, phase));
    }
  }

  @Test
  void takesTheKeyOfAHead() {
    var head = new FrameHead();
    byte[] hello = {
      (byte) 0x81, (byte) 0x85, 0x37, (byte) 0xFA, 0x21, 0x3D, 0x7F, (byte) 0x9F, 0x4D
    };
    byte[] frame = new byte[11];
    System.arraycopy(hello, 0, frame, 0, hello.length);
    frame[9] = 0x51;
    frame[10] = 0x58;
    MemorySegment bytes = Segments.exact(frame);
    long start = head.read(bytes, 0, bytes.byteSize());
    Masking.apply(bytes, start, start + head.payloadLength(), head.maskingKey(), 0);
    assertThat(Segments.text(bytes.asSlice(start).toArray(ValueLayout.JAVA_BYTE)))
        .isEqualTo("Hello");
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "the guarded page is made by Linux calls")
  void touchesNoByteOutsideOfTheSegment() {
    var page = new GuardedPage();
    for (int length = 1; length <= LENGTH_MAX; length++) {
      byte[] bytes = random(length);
      byte[] expected = masked(bytes, 0, length, 0);
      MemorySegment atEnd = page.atEnd(bytes);
      Masking.apply(atEnd, 0, length, KEY_INT, 0);
      assertThat(atEnd.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
      MemorySegment atStart = page.atStart(bytes);
      Masking.apply(atStart, 0, length, KEY_INT, 0);
      assertThat(atStart.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
    }
  }

  @Test
  void rejectsRangesOutsideTheSegment() {
    MemorySegment bytes = Segments.exact(new byte[64]);
    for (long[] range : new long[][] {{-1, 5}, {0, 65}, {6, 5}, {60, 1L << 40}}) {
      assertThatThrownBy(() -> Masking.apply(bytes, range[0], range[1], KEY_INT, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThat(bytes.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
  }

  @Test
  void rejectsMemoryThatIsReadOnlyOrFreed() {
    MemorySegment readOnly = Segments.exact(new byte[64]).asReadOnly();
    assertThatThrownBy(() -> Masking.apply(readOnly, 0, 64, KEY_INT, 0))
        .isInstanceOf(IllegalArgumentException.class);
    MemorySegment closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = arena.allocate(64);
    }
    assertThatThrownBy(() -> Masking.apply(closed, 0, 64, KEY_INT, 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void allocatesNothing() {
    MemorySegment bytes = Segments.exact(random(70_000));
    assertThat(
            Allocations.whenCompiled(
                () -> {
                  Masking.apply(bytes, 1, 33, KEY_INT, 0);
                  Masking.apply(bytes, 2, 1026, KEY_INT, 1);
                  Masking.apply(bytes, 3, 70_000, KEY_INT, 2);
                }))
        .isZero();
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static byte[] masked(byte[] bytes, int from, int to, int phase) {
    byte[] masked = bytes.clone();
    for (int i = from; i < to; i++) {
      masked[i] ^= KEY[(int) ((i - from + (long) phase) % KEY.length)];
    }
    return masked;
  }
}
