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
 * Some questions of {@link VectorScanner} for one place, the loop over nearly all strides: of the
 * preferred width only, in memory that is accessed by its address, and with one load for all of
 * them where a stride is one vector.
 *
 * <p>All methods that take or return a vector must be inlined there, or vectors become objects. The
 * compiler does that for what runs as often as the loop's beginning did while it counted, whatever
 * came then: so code that runs less often must not call it, and the loop makes all comparisons
 * before it uses a result.
 */
public final class LoadedStride {
  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;

  private LoadedStride() {}

  /** Returns the stride at an address if it is one vector, else its beginning. */
  public static ByteVector load(long at) {
    return ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at, LITTLE_ENDIAN);
  }

  /** Bytes that are {@code value}. */
  public static long equalTo(byte value, ByteVector loaded, long at) {
    long mask = 0;
    for (int i = 0; i < StrideScanner.STRIDE; i += SPECIES.length()) {
      mask |= part(loaded, at + i).eq(value).toLong() << i;
    }
    return mask;
  }

  /** Controls, DEL and everything from 0x80 on: what is neither SP nor VCHAR. */
  public static long beyondPrintable(ByteVector loaded, long at) {
    long mask = 0;
    for (int i = 0; i < StrideScanner.STRIDE; i += SPECIES.length()) {
      // + 1 makes DEL the least and leaves what is negative below all that is printable
      VectorMask<Byte> beyond = part(loaded, at + i).add((byte) 1).lt((byte) (' ' + 1));
      mask |= beyond.toLong() << i;
    }
    return mask;
  }

  /** Returns the same of a stride that isn't loaded, for a place that may run seldom. */
  public static long beyondPrintable(long at) {
    long mask = 0;
    for (int i = 0; i < StrideScanner.STRIDE; i += SPECIES.length()) {
      VectorMask<Byte> beyond = load(at + i).add((byte) 1).lt((byte) (' ' + 1));
      mask |= beyond.toLong() << i;
    }
    return mask;
  }

  /** As {@link VectorScanner#namesMostly}. */
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

  /** As {@link VectorScanner#framingSeconds}. */
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
