package dev.peregrine.parser.vector;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.Ascii;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Some tests of {@link VectorScanner} for one place, the loop over nearly all strides: of native
 * memory only, by its address. Each loads for itself, because a method that takes a vector makes it
 * an object where C2 doesn't inline the call; loads of the same stride become one where it does.
 */
final class NativeStride {
  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;

  private NativeStride() {}

  /** Returns the bytes that are {@code value}. */
  static long equalTo(byte value, long at, int length) {
    long mask = 0;
    for (int i = 0; i < length; i += SPECIES.length()) {
      mask |=
          ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at + i, LITTLE_ENDIAN)
                  .eq(value)
                  .toLong()
              << i;
    }
    return mask;
  }

  /** Returns controls, DEL and all bytes from 0x80 on: the bytes that are neither SP nor VCHAR. */
  static long beyondPrintable(long at, int length) {
    long mask = 0;
    for (int i = 0; i < length; i += SPECIES.length()) {
      // + 1 makes DEL the least value, and keeps negative bytes below all printable ones
      VectorMask<Byte> beyond =
          ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at + i, LITTLE_ENDIAN)
              .add((byte) 1)
              .lt((byte) (' ' + 1));
      mask |= beyond.toLong() << i;
    }
    return mask;
  }

  /** Returns the same as {@link VectorScanner#namesMostly}. */
  static long namesMostly(long at, int length) {
    long mask = 0;
    for (int i = 0; i < length; i += SPECIES.length()) {
      ByteVector stride = ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at + i, LITTLE_ENDIAN);
      VectorMask<Byte> letters =
          stride
              .or((byte) Ascii.CASE_BIT)
              .add(VectorScanner.FROM_A)
              .lt(VectorScanner.BEYOND_LETTERS);
      VectorMask<Byte> digits = stride.add(VectorScanner.FROM_0).lt(VectorScanner.BEYOND_DIGITS);
      VectorMask<Byte> others = stride.eq((byte) '-').or(stride.eq((byte) '_'));
      mask |= letters.or(others).or(digits).toLong() << i;
    }
    return mask;
  }

  /** Returns the same as {@link VectorScanner#framingSeconds}. */
  static long framingSeconds(long at, int length) {
    long mask = 0;
    for (int i = 0; i < length; i += SPECIES.length()) {
      ByteVector next =
          ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at + i, LITTLE_ENDIAN).add((byte) 1);
      mask |= next.and(VectorScanner.SECOND_BITS).eq(VectorScanner.SECONDS).toLong() << i;
    }
    return mask;
  }
}
