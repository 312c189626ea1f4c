package dev.peregrine.parser.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.peregrine.parser.Segments;
import dev.peregrine.protocol.grammar.CharClass;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation of every scanner against the tables: each byte value, lane, length, alignment.
 */
class ScannerTest {
  private static final int LANES = 70;

  /** One operation, the class it looks for the end of, and a member of that class. */
  private record Operation(String name, CharClass charClass, char member, Run run) {
    private interface Run {
      long end(Scanner scanner, MemorySegment bytes, int from, int to);
    }
  }

  private static final List<Operation> OPERATIONS =
      List.of(
          new Operation("tokenEnd", CharClass.TOKEN, 'a', Scanner::tokenEnd),
          new Operation("fieldValueEnd", CharClass.FIELD_VALUE, 'v', Scanner::fieldValueEnd),
          new Operation("targetEnd", CharClass.TARGET, '/', Scanner::targetEnd),
          new Operation("plainPathEnd", CharClass.PLAIN_PATH, '/', Scanner::plainPathEnd));

  static List<ScannerVariant> variants() {
    return ScannerVariant.all();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void agreesWithTheTableForEveryByteInEveryLane(ScannerVariant variant) {
    for (Operation operation : OPERATIONS) {
      for (int value = 0; value < 256; value++) {
        for (int lane = 0; lane < LANES; lane++) {
          byte[] bytes = filled(LANES, operation.member());
          bytes[lane] = (byte) value;
          int expected = operation.charClass().contains((byte) value) ? LANES : lane;
          long end = operation.run().end(variant.scanner(), Segments.exact(bytes), 0, LANES);
          if (end != expected) { // asserting each would take most of the time
            fail("%s of %d in lane %d ends at %d", operation.name(), value, lane, end);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void stopsAtTheEndWhateverFollowsIt(ScannerVariant variant) {
    for (Operation operation : OPERATIONS) {
      for (int length = 0; length < 2 * LANES; length++) {
        byte[] bytes = filled(length, operation.member());
        for (int shift = 0; shift < Long.SIZE; shift += length % 3 + 1) {
          for (int slack : new int[] {0, 1, 64}) {
            for (char garbage : new char[] {operation.member(), '\n'}) {
              MemorySegment segment = Segments.aligned(bytes, shift, slack, (byte) garbage);
              long end = operation.run().end(variant.scanner(), segment, shift, shift + length);
              if (end != shift + length) {
                fail("%s of %d at %d, slack %d: %d", operation.name(), length, shift, slack, end);
              }
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void findsEveryByteInEveryLane(ScannerVariant variant) {
    for (int value = 0; value < 256; value++) {
      for (int lane = 0; lane < LANES; lane++) {
        byte[] bytes = filled(LANES, (char) (value ^ 0x80));
        bytes[lane] = (byte) value;
        MemorySegment segment = Segments.exact(bytes);
        Scanner scanner = variant.scanner();
        assertThat(scanner.indexOf((byte) value, segment, 0, LANES)).isEqualTo(lane);
        assertThat(scanner.indexOf((byte) value, segment, 0, lane)).isEqualTo(lane);
        assertThat(scanner.indexOf((byte) (value ^ 1), segment, 0, LANES)).isEqualTo(LANES);
      }
    }
  }

  private static byte[] filled(int length, char value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }
}
