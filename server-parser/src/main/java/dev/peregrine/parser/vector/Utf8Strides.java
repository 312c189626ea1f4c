package dev.peregrine.parser.vector;

import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.SUSUB;
import static jdk.incubator.vector.VectorOperators.XOR;

import dev.peregrine.parser.scan.Memory;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Checks UTF-8 by vectors (RFC 3629 section 4), with the method of John Keiser and Daniel Lemire,
 * "Validating UTF-8 in less than one instruction per byte". Each byte is checked together with the
 * three bytes before it. Every stride loads these from memory again, so that it needs nothing from
 * the stride before.
 *
 * <p>Three tables have the faults that the halves of two adjacent bytes allow. The pair has a fault
 * that all three allow. Only whether a byte continues a character of three or four bytes depends on
 * more than a pair.
 */
public final class Utf8Strides {
  /** A range is invalid. */
  public static final int INVALID = -1;

  /** The bytes before a range that are loaded with it. */
  public static final int BYTES_BEFORE = 3;

  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;

  /** The length of a stride, and the shortest range that can be checked. */
  public static final int STRIDE = SPECIES.length();

  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  private static final int HALF_BITS = 4;
  private static final byte HALF_MASK = (1 << HALF_BITS) - 1;

  // the faults of a pair, and with the highest bit: two bytes that continue a character
  private static final int TOO_FEW = 1; // a start, and no byte that continues it
  private static final int TOO_MANY = 1 << 1; // ASCII, and a byte that continues nothing
  private static final int OVERLONG_OF_TWO = 1 << 2; // C0 and C1
  private static final int OVERLONG_OF_THREE = 1 << 3; // E0 80 to E0 9F
  private static final int SURROGATE = 1 << 4; // ED A0 to ED BF
  private static final int TOO_LARGE = 1 << 5; // F4 90 to F4 BF, and so from F5 to FF
  private static final int AT_THE_ENDS_OF_F = 1 << 6; // F0 80 to F0 8F, and so from F5 to FF
  private static final byte CONTINUES_TWICE = (byte) 0x80;

  private static final int ASCII_FIRST = TOO_MANY;
  private static final int OF_ALL_LOW_HALVES = TOO_FEW | TOO_MANY | CONTINUES_TWICE;
  private static final int FROM_F5 = OF_ALL_LOW_HALVES | TOO_LARGE | AT_THE_ENDS_OF_F;
  private static final int CONTINUING_SECOND = TOO_MANY | OVERLONG_OF_TWO | CONTINUES_TWICE;

  /** By the high half of the first byte of a pair. */
  private static final ByteVector BY_FIRST_HIGH =
      table(
          half -> {
            if (half < 0x8) {
              return ASCII_FIRST;
            }
            return switch (half) {
              case 0xC -> TOO_FEW | OVERLONG_OF_TWO;
              case 0xD -> TOO_FEW;
              case 0xE -> TOO_FEW | OVERLONG_OF_THREE | SURROGATE;
              case 0xF -> TOO_FEW | TOO_LARGE | AT_THE_ENDS_OF_F;
              default -> CONTINUES_TWICE;
            };
          });

  /** By the low half of the first byte. */
  private static final ByteVector BY_FIRST_LOW =
      table(
          half ->
              switch (half) {
                case 0x0 ->
                    OF_ALL_LOW_HALVES | OVERLONG_OF_TWO | OVERLONG_OF_THREE | AT_THE_ENDS_OF_F;
                case 0x1 -> OF_ALL_LOW_HALVES | OVERLONG_OF_TWO;
                case 0x2, 0x3 -> OF_ALL_LOW_HALVES;
                case 0x4 -> OF_ALL_LOW_HALVES | TOO_LARGE;
                case 0xD -> FROM_F5 | SURROGATE;
                default -> FROM_F5;
              });

  /** By the high half of the second byte. */
  private static final ByteVector BY_SECOND_HIGH =
      table(
          half ->
              switch (half) {
                case 0x8 -> CONTINUING_SECOND | OVERLONG_OF_THREE | AT_THE_ENDS_OF_F;
                case 0x9 -> CONTINUING_SECOND | OVERLONG_OF_THREE | TOO_LARGE;
                case 0xA, 0xB -> CONTINUING_SECOND | SURROGATE | TOO_LARGE;
                default -> TOO_FEW;
              });

  // subtracted, these leave the highest bit to the starts of three and more, and of four bytes
  private static final byte BELOW_THREE = (byte) (0xE0 - 0x80);
  private static final byte BELOW_FOUR = (byte) (0xF0 - 0x80);

  private Utf8Strides() {}

  /** Returns the faults of one half of a byte. */
  private interface Faults {
    int of(int half);
  }

  private static ByteVector table(Faults faults) {
    byte[] table = new byte[STRIDE];
    for (int i = 0; i < table.length; i++) {
      table[i] = (byte) faults.of(i & HALF_MASK);
    }
    return ByteVector.fromArray(SPECIES, table, 0);
  }

  /**
   * Checks that no byte of the range contradicts those before it. So a range after valid text is
   * valid, except that its last character may be incomplete.
   *
   * <p>All is in one method, because C2 doesn't inline a method of this length. Vectors that are
   * inlined into other code use up what C2 may inline there, so that loads of words become calls.
   *
   * @param from an address, {@link #BYTES_BEFORE} bytes after the first that may be loaded
   * @param bytes the number of bytes, at least {@link #STRIDE}
   * @return the bytes of the incomplete character at the end, 0 to 3; or {@link #INVALID}
   */
  public static int unfinished(long from, int bytes) {
    ByteVector faults = ByteVector.zero(SPECIES);
    int last = bytes - STRIDE;
    int i = 0;
    while (true) {
      long at = from + i;
      ByteVector seconds = ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at, ORDER);
      ByteVector firsts = ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at - 1, ORDER);
      // the high halves, by a shift of wider lanes, because machines can't shift bytes
      ByteVector pairs =
          firsts
              .reinterpretAsInts()
              .lanewise(LSHR, HALF_BITS)
              .reinterpretAsBytes()
              .and(HALF_MASK)
              .selectFrom(BY_FIRST_HIGH)
              .and(firsts.and(HALF_MASK).selectFrom(BY_FIRST_LOW))
              .and(
                  seconds
                      .reinterpretAsInts()
                      .lanewise(LSHR, HALF_BITS)
                      .reinterpretAsBytes()
                      .and(HALF_MASK)
                      .selectFrom(BY_SECOND_HIGH));
      ByteVector continuesTwice =
          ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at - 2, ORDER)
              .lanewise(SUSUB, BELOW_THREE)
              .or(
                  ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at - BYTES_BEFORE, ORDER)
                      .lanewise(SUSUB, BELOW_FOUR))
              .and(CONTINUES_TWICE);
      faults = faults.or(pairs.lanewise(XOR, continuesTwice));
      if (i == last) {
        break;
      }
      i = Math.min(i + STRIDE, last); // the last stride may overlap with the one before
    }
    if (faults.compare(NE, (byte) 0).anyTrue()) {
      return INVALID;
    }
    long to = from + bytes;
    if ((Memory.byteAt(Memory.ALL, to - 1) & 0xFF) >= 0xC0) {
      return 1;
    }
    if ((Memory.byteAt(Memory.ALL, to - 2) & 0xFF) >= 0xE0) {
      return 2;
    }
    return (Memory.byteAt(Memory.ALL, to - BYTES_BEFORE) & 0xFF) >= 0xF0 ? BYTES_BEFORE : 0;
  }
}
