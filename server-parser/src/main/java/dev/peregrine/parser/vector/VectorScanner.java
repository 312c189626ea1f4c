package dev.peregrine.parser.vector;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static jdk.incubator.vector.VectorOperators.XOR;

import dev.peregrine.parser.field.FieldBits;
import dev.peregrine.parser.field.FieldLines;
import dev.peregrine.parser.field.StrideScanner;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.scan.SwarScanner;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Scans strides of 64 bytes with vectors of the machine's preferred width; a result has one bit for
 * each byte, the first byte in the lowest.
 *
 * <p>In this package no method takes or returns a vector, a mask or a species, unless it is the
 * JDK's, which C2 always inlines, or runs while its class is initialised. So no vector is an object
 * in compiled code, whichever of our methods C2 inlines.
 *
 * <p>The static methods take a length, which is that of a stride, and zero for {@link
 * StrideWarmUp}.
 *
 * <p>Technique {@code delimiter} of docs/TECHNIQUES.md, measured by {@code DelimiterBenchmark}.
 */
public final class VectorScanner implements StrideScanner {
  // Added to a byte, these make the first of a range the least value. So a range takes one signed
  // comparison: before AVX-512 an unsigned one is three operations.
  static final byte FROM_A = (byte) (Byte.MIN_VALUE - 'a');
  static final byte BEYOND_LETTERS = Byte.MIN_VALUE + 26;
  static final byte FROM_0 = (byte) (Byte.MIN_VALUE - '0');
  static final byte BEYOND_DIGITS = Byte.MIN_VALUE + 10;

  /** The bits of a byte plus one that the letters o to r and w to z share, in either case. */
  static final byte SECOND_BITS = (byte) 0b1101_0100;

  static final byte SECONDS = ('p' & SECOND_BITS);
  private static final byte FROM_HYPHEN = (byte) (Byte.MIN_VALUE - '-');
  private static final byte FROM_BRACE = (byte) (Byte.MIN_VALUE - '{');

  /** Makes &gt; ? and &lt; the least three values. */
  private static final byte LEAST_FROM_GREATER = (byte) (Byte.MIN_VALUE ^ '>');

  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;
  private static final SwarScanner WORDS = new SwarScanner();

  static int preferredBytes() {
    return SPECIES.length();
  }

  @Override
  public int addLines(MemorySegment bytes, long base, long from, long to, FieldLines lines) {
    return FieldStrides.addLines(this, bytes, base, from, to, lines);
  }

  @Override
  public long sectionEnd(
      MemorySegment bytes, long base, long from, long to, long lastStride, FieldBits found) {
    return FieldStrides.sectionEnd(this, bytes, base, from, to, lastStride, found);
  }

  /**
   * Returns the end of a token, by words: tokens are short, and words find their ends sooner than
   * vectors.
   */
  @Override
  public long tokenEnd(MemorySegment bytes, long from, long to) {
    return WORDS.tokenEnd(bytes, from, to);
  }

  @Override
  public long fieldValueEnd(MemorySegment bytes, long from, long to) {
    long size = bytes.byteSize();
    long at = from;
    while (at < to && at + STRIDE <= size) {
      long illegal = illegalInValue(bytes, at);
      if (illegal != 0) {
        return Math.min(to, at + Long.numberOfTrailingZeros(illegal));
      }
      at += STRIDE;
    }
    return at >= to ? to : WORDS.fieldValueEnd(bytes, at, to);
  }

  @Override
  public long targetEnd(MemorySegment bytes, long from, long to) {
    long size = bytes.byteSize();
    long at = from;
    while (at < to && at + STRIDE <= size) {
      long illegal = illegalInTarget(bytes, at);
      if (illegal != 0) {
        return Math.min(to, at + Long.numberOfTrailingZeros(illegal));
      }
      at += STRIDE;
    }
    return at >= to ? to : WORDS.targetEnd(bytes, at, to);
  }

  @Override
  public long plainPathEnd(MemorySegment bytes, long from, long to) {
    return WORDS.plainPathEnd(bytes, from, to);
  }

  @Override
  public long indexOf(byte value, MemorySegment bytes, long from, long to) {
    long size = bytes.byteSize();
    long at = from;
    while (at < to && at + STRIDE <= size) {
      long equal = equalTo(value, bytes, at);
      if (equal != 0) {
        return Math.min(to, at + Long.numberOfTrailingZeros(equal));
      }
      at += STRIDE;
    }
    return at >= to ? to : WORDS.indexOf(value, bytes, at, to);
  }

  /** Returns the bytes that are {@code value}. */
  public long equalTo(byte value, MemorySegment bytes, long at) {
    return equalTo(value, bytes, at, STRIDE);
  }

  static long equalTo(byte value, MemorySegment bytes, long at, int length) {
    long mask = 0;
    for (int i = 0; i < length; i += SPECIES.length()) {
      mask |=
          ByteVector.fromMemorySegment(SPECIES, Memory.known(bytes), at + i, LITTLE_ENDIAN)
                  .eq(value)
                  .toLong()
              << i;
    }
    return mask;
  }

  /** Returns the bytes that are illegal in a field's value: controls except HTAB, and DEL. */
  public long illegalInValue(MemorySegment bytes, long at) {
    return illegalInValue(bytes, at, STRIDE);
  }

  static long illegalInValue(MemorySegment bytes, long at, int length) {
    long mask = 0;
    for (int i = 0; i < length; i += SPECIES.length()) {
      ByteVector stride =
          ByteVector.fromMemorySegment(SPECIES, Memory.known(bytes), at + i, LITTLE_ENDIAN);
      // the controls change places among themselves, and HTAB becomes the first, then the last byte
      ByteVector moved = stride.lanewise(XOR, Ascii.HTAB).add((byte) (Byte.MIN_VALUE - 1));
      VectorMask<Byte> illegal = moved.lt((byte) (Byte.MIN_VALUE + 31)).or(stride.eq((byte) 0x7F));
      mask |= illegal.toLong() << i;
    }
    return mask;
  }

  /** Returns letters, digits, "-" and "_", of which most names consist. */
  public long namesMostly(MemorySegment bytes, long at) {
    return namesMostly(bytes, at, STRIDE);
  }

  static long namesMostly(MemorySegment bytes, long at, int length) {
    long mask = 0;
    for (int i = 0; i < length; i += SPECIES.length()) {
      ByteVector stride =
          ByteVector.fromMemorySegment(SPECIES, Memory.known(bytes), at + i, LITTLE_ENDIAN);
      VectorMask<Byte> letters = stride.or((byte) Ascii.CASE_BIT).add(FROM_A).lt(BEYOND_LETTERS);
      VectorMask<Byte> others = stride.eq((byte) '-').or(stride.eq((byte) '_'));
      mask |= letters.or(others).or(stride.add(FROM_0).lt(BEYOND_DIGITS)).toLong() << i;
    }
    return mask;
  }

  @Override
  public long hostsMostly(MemorySegment bytes, long at) {
    return hostsMostly(bytes, at, STRIDE);
  }

  static long hostsMostly(MemorySegment bytes, long at, int length) {
    if (length == 0) {
      return 0;
    }
    ByteVector stride =
        Memory.isAll(bytes)
            ? ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at, LITTLE_ENDIAN)
            : ByteVector.fromMemorySegment(SPECIES, bytes, at, LITTLE_ENDIAN);
    VectorMask<Byte> letters = stride.or((byte) Ascii.CASE_BIT).add(FROM_A).lt(BEYOND_LETTERS);
    VectorMask<Byte> others =
        stride
            .add(FROM_0)
            .lt(BEYOND_DIGITS)
            .or(stride.add(FROM_HYPHEN).lt((byte) (Byte.MIN_VALUE + 2)));
    return letters.or(others).toLong();
  }

  /**
   * Returns the letters o to r and w to z, among which is the second one of every name that {@code
   * FramingFields} knows.
   */
  public long framingSeconds(MemorySegment bytes, long at) {
    return framingSeconds(bytes, at, STRIDE);
  }

  static long framingSeconds(MemorySegment bytes, long at, int length) {
    long mask = 0;
    for (int i = 0; i < length; i += SPECIES.length()) {
      ByteVector next =
          ByteVector.fromMemorySegment(SPECIES, Memory.known(bytes), at + i, LITTLE_ENDIAN)
              .add((byte) 1);
      mask |= next.and(SECOND_BITS).eq(SECONDS).toLong() << i;
    }
    return mask;
  }

  /** Returns the bytes that are illegal in a path or query. */
  public long illegalInTarget(MemorySegment bytes, long at) {
    return illegalInTarget(bytes, at, STRIDE);
  }

  static long illegalInTarget(MemorySegment bytes, long at, int length) {
    long mask = 0;
    for (int i = 0; i < length; i += SPECIES.length()) {
      ByteVector stride =
          ByteVector.fromMemorySegment(SPECIES, Memory.known(bytes), at + i, LITTLE_ENDIAN);
      VectorMask<Byte> illegal =
          // all but VCHAR
          stride
              .add((byte) 1)
              .lt((byte) ('!' + 1))
              // [ \ ] and { | }, which differ by the case bit
              .or(stride.or((byte) Ascii.CASE_BIT).add(FROM_BRACE).lt((byte) (Byte.MIN_VALUE + 3)))
              // " #, and < >, which differ by one bit each
              .or(stride.and((byte) 0xFE).eq((byte) '"'))
              .or(stride.and((byte) 0xFD).eq((byte) '<'))
              .or(stride.eq((byte) '^'))
              .or(stride.eq((byte) '`'));
      mask |= illegal.toLong() << i;
    }
    return mask;
  }

  @Override
  public long specialInTarget(MemorySegment bytes, long at) {
    return specialInTarget(bytes, at, STRIDE);
  }

  static long specialInTarget(MemorySegment bytes, long at, int length) {
    long mask = 0;
    for (int i = 0; i < length; i += SPECIES.length()) {
      ByteVector stride =
          Memory.isAll(bytes)
              ? ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at + i, LITTLE_ENDIAN)
              : ByteVector.fromMemorySegment(SPECIES, bytes, at + i, LITTLE_ENDIAN);
      VectorMask<Byte> special =
          // all except VCHAR, and ! " # $ %
          stride
              .add((byte) 1)
              .lt((byte) ('%' + 2))
              // [ \ ] ^ and { | } ~, which differ by the case bit
              .or(stride.or((byte) Ascii.CASE_BIT).add(FROM_BRACE).lt((byte) (Byte.MIN_VALUE + 4)))
              // < > ?, as = becomes 3
              .or(stride.lanewise(XOR, LEAST_FROM_GREATER).lt((byte) (Byte.MIN_VALUE + 3)))
              .or(stride.eq((byte) '`'));
      mask |= special.toLong() << i;
    }
    return mask;
  }

  @Override
  public String toString() {
    return "VectorScanner of " + SPECIES.vectorBitSize() + " bits";
  }
}
