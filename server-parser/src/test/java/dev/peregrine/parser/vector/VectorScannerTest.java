package dev.peregrine.parser.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.parser.Segments;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.CharClass;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The results for strides, for random bytes and for every byte value in every lane. */
class VectorScannerTest {
  private static final int ROUNDS = 2_000;

  @BeforeAll
  static void needsVectors() {
    assumeTrue(VectorSupport.problem() == null, () -> "SKIPPED: " + VectorSupport.problem());
  }

  @Test
  void answersForEveryByteOfAStride() {
    var scanner = new VectorScanner();
    var random = new Random(64);
    byte[] bytes = new byte[VectorScanner.STRIDE + 7];
    for (int round = 0; round < ROUNDS; round++) {
      random.nextBytes(bytes);
      int at = round % 8;
      bytes[at + round % VectorScanner.STRIDE] = (byte) (round / 4);
      MemorySegment segment = Segments.exact(bytes);
      check(scanner.equalTo((byte) ':', segment, at), bytes, at, value -> value == ':');
      check(
          scanner.illegalInValue(segment, at),
          bytes,
          at,
          value -> !CharClass.FIELD_VALUE.contains((byte) value));
      check(
          scanner.namesMostly(segment, at),
          bytes,
          at,
          value -> "-_".indexOf(value) >= 0 || (value < 0x80 && Character.isLetterOrDigit(value)));
      check(
          scanner.framingSeconds(segment, at),
          bytes,
          at,
          value -> "opqrwxyzOPQRWXYZ".indexOf(value) >= 0);
      check(
          scanner.hostsMostly(segment, at),
          VectorScanner.preferredBytes(),
          bytes,
          at,
          value -> "-.".indexOf(value) >= 0 || (value < 0x80 && Character.isLetterOrDigit(value)));
      check(
          scanner.illegalInTarget(segment, at),
          bytes,
          at,
          value -> !CharClass.TARGET.contains((byte) value));
      check(
          scanner.specialInTarget(segment, at),
          bytes,
          at,
          value -> "!$%?~".indexOf(value) >= 0 || !CharClass.TARGET.contains((byte) value));
    }
  }

  @Test
  void answersForEveryByteOfAStrideOfNativeMemory() {
    assumeTrue(Memory.ALL.byteSize() != 0, "SKIPPED: start the JVM with --enable-native-access");
    var random = new Random(65);
    byte[] bytes = new byte[VectorScanner.STRIDE];
    MemorySegment segment = Arena.ofAuto().allocate(bytes.length);
    long at = segment.address();
    for (int round = 0; round < ROUNDS; round++) {
      random.nextBytes(bytes);
      bytes[round % VectorScanner.STRIDE] = (byte) (round / 4);
      segment.copyFrom(MemorySegment.ofArray(bytes));
      check(
          NativeStride.equalTo((byte) ':', at, VectorScanner.STRIDE),
          bytes,
          0,
          value -> value == ':');
      check(
          NativeStride.beyondPrintable(at, VectorScanner.STRIDE),
          bytes,
          0,
          value -> value < ' ' || value >= 0x7F);
      check(
          NativeStride.namesMostly(at, VectorScanner.STRIDE),
          bytes,
          0,
          value -> "-_".indexOf(value) >= 0 || (value < 0x80 && Character.isLetterOrDigit(value)));
      check(
          NativeStride.framingSeconds(at, VectorScanner.STRIDE),
          bytes,
          0,
          value -> "opqrwxyzOPQRWXYZ".indexOf(value) >= 0);
    }
  }

  private static void check(long answer, byte[] bytes, int at, IntPredicate expected) {
    check(answer, VectorScanner.STRIDE, bytes, at, expected);
  }

  private static void check(long answer, int length, byte[] bytes, int at, IntPredicate expected) {
    long mask =
        IntStream.range(0, length)
            .filter(lane -> expected.test(bytes[at + lane] & 0xFF))
            .mapToLong(lane -> 1L << lane)
            .reduce(0, (one, other) -> one | other);
    assertThat(answer).isEqualTo(mask);
  }
}
