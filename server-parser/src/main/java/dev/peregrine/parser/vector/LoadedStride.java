package dev.peregrine.parser.vector;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static jdk.incubator.vector.VectorOperators.ULT;

import dev.peregrine.parser.field.StrideScanner;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.Ascii;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Some tests of {@link VectorScanner} for one place, the loop over nearly all strides. They are of
 * the preferred width only, use memory by its address, and share one load if a stride is one
 * vector.
 *
 * <p>All methods that take or return a vector must be inlined there, because vectors would
 * otherwise become objects. The compiler inlines a call that, while it counted, ran as often as the
 * beginning of the loop. So code that runs less often must not call these methods, and the loop
 * makes all comparisons before it uses a result.
 */
public final class LoadedStride {
  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;

  private LoadedStride() {}

  /** Returns the stride at an address if it is one vector, otherwise its beginning. */
  public static ByteVector load(long at) {
    return ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at, LITTLE_ENDIAN);
  }

  /** Returns the bytes that are {@code value}. */
  public static long equalTo(byte value, ByteVector loaded, long at) {
    long mask = 0;
    for (int i = 0; i < StrideScanner.STRIDE; i += SPECIES.length()) {
      mask |= part(loaded, at + i).eq(value).toLong() << i;
    }
    return mask;
  }

  /** Returns controls, DEL and all bytes from 0x80 on: the bytes that are neither SP nor VCHAR. */
  public static long beyondPrintable(ByteVector loaded, long at) {
    long mask = 0;
    for (int i = 0; i < StrideScanner.STRIDE; i += SPECIES.length()) {
      // + 1 makes DEL the least value, and keeps negative bytes below all printable ones
      VectorMask<Byte> beyond = part(loaded, at + i).add((byte) 1).lt((byte) (' ' + 1));
      mask |= beyond.toLong() << i;
    }
    return mask;
  }

  /** Returns the same for a stride that isn't loaded, for code that may run seldom. */
  public static long beyondPrintable(long at) {
    long mask = 0;
    for (int i = 0; i < StrideScanner.STRIDE; i += SPECIES.length()) {
      VectorMask<Byte> beyond = load(at + i).add((byte) 1).lt((byte) (' ' + 1));
      mask |= beyond.toLong() << i;
    }
    return mask;
  }

  /** Returns the same as {@link VectorScanner#namesMostly}. */
  public static long namesMostly(ByteVector loaded, long at) {
    long mask = 0;
    for (int i = 0; i < StrideScanner.STRIDE; i += SPECIES.length()) {
      ByteVector stride = part(loaded, at + i);
      VectorMask<Byte> letters =
          stride.or((byte) Ascii.CASE_BIT).sub((byte) 'a').compare(ULT, VectorScanner.LETTERS);
      VectorMask<Byte> digits = stride.sub((byte) '0').compare(ULT, VectorScanner.DIGITS);
      VectorMask<Byte> others = stride.eq((byte) '-').or(stride.eq((byte) '_'));
      mask |= letters.or(others).or(digits).toLong() << i;
    }
    return mask;
  }

  /** Returns the same as {@link VectorScanner#framingSeconds}. */
  public static long framingSeconds(ByteVector loaded, long at) {
    long mask = 0;
    for (int i = 0; i < StrideScanner.STRIDE; i += SPECIES.length()) {
      ByteVector small = part(loaded, at + i).or((byte) Ascii.CASE_BIT);
      mask |= small.sub((byte) 'o').compare(ULT, (byte) 4).or(small.eq((byte) 'x')).toLong() << i;
    }
    return mask;
  }

  private static ByteVector part(ByteVector loaded, long at) {
    return SPECIES.length() == StrideScanner.STRIDE ? loaded : load(at);
  }
}
