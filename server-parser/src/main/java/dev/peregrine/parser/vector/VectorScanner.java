package dev.peregrine.parser.vector;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static jdk.incubator.vector.VectorOperators.ULT;
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
 * <p>Technique {@code delimiter} of docs/TECHNIQUES.md, measured by {@code DelimiterBenchmark}.
 */
public final class VectorScanner implements StrideScanner {
  static final byte LETTERS = 26;
  static final byte DIGITS = 10;

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
    long mask = 0;
    for (int i = 0; i < STRIDE; i += SPECIES.length()) {
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
    long mask = 0;
    for (int i = 0; i < STRIDE; i += SPECIES.length()) {
      ByteVector stride =
          ByteVector.fromMemorySegment(SPECIES, Memory.known(bytes), at + i, LITTLE_ENDIAN);
      // the controls change places among themselves, and HTAB becomes the first
      ByteVector moved = stride.lanewise(XOR, Ascii.HTAB);
      VectorMask<Byte> illegal =
          moved.sub((byte) 1).compare(ULT, (byte) 31).or(stride.eq((byte) 0x7F));
      mask |= illegal.toLong() << i;
    }
    return mask;
  }

  /** Returns letters, digits, "-" and "_", of which most names consist. */
  public long namesMostly(MemorySegment bytes, long at) {
    long mask = 0;
    for (int i = 0; i < STRIDE; i += SPECIES.length()) {
      ByteVector stride =
          ByteVector.fromMemorySegment(SPECIES, Memory.known(bytes), at + i, LITTLE_ENDIAN);
      VectorMask<Byte> letters =
          stride.or((byte) Ascii.CASE_BIT).sub((byte) 'a').compare(ULT, LETTERS);
      VectorMask<Byte> others = stride.eq((byte) '-').or(stride.eq((byte) '_'));
      mask |= letters.or(others).or(stride.sub((byte) '0').compare(ULT, DIGITS)).toLong() << i;
    }
    return mask;
  }

  @Override
  public long hostsMostly(MemorySegment bytes, long at) {
    ByteVector stride =
        Memory.isAll(bytes)
            ? ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at, LITTLE_ENDIAN)
            : ByteVector.fromMemorySegment(SPECIES, bytes, at, LITTLE_ENDIAN);
    VectorMask<Byte> letters =
        stride.or((byte) Ascii.CASE_BIT).sub((byte) 'a').compare(ULT, LETTERS);
    VectorMask<Byte> others =
        stride
            .sub((byte) '0')
            .compare(ULT, DIGITS)
            .or(stride.sub((byte) '-').compare(ULT, (byte) 2));
    return letters.or(others).toLong();
  }

  /**
   * Returns the letters o to r and x: the second one of every name that {@code FramingFields}
   * knows.
   */
  public long framingSeconds(MemorySegment bytes, long at) {
    long mask = 0;
    for (int i = 0; i < STRIDE; i += SPECIES.length()) {
      ByteVector small =
          ByteVector.fromMemorySegment(SPECIES, Memory.known(bytes), at + i, LITTLE_ENDIAN)
              .or((byte) Ascii.CASE_BIT);
      mask |= small.sub((byte) 'o').compare(ULT, (byte) 4).or(small.eq((byte) 'x')).toLong() << i;
    }
    return mask;
  }

  /** Returns the bytes that are illegal in a path or query. */
  public long illegalInTarget(MemorySegment bytes, long at) {
    long mask = 0;
    for (int i = 0; i < STRIDE; i += SPECIES.length()) {
      ByteVector stride =
          ByteVector.fromMemorySegment(SPECIES, Memory.known(bytes), at + i, LITTLE_ENDIAN);
      VectorMask<Byte> illegal =
          // all but VCHAR
          stride
              .add((byte) 1)
              .lt((byte) ('!' + 1))
              // [ \ ] and { | }, which differ by the case bit
              .or(stride.or((byte) Ascii.CASE_BIT).sub((byte) '{').compare(ULT, (byte) 3))
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
    long mask = 0;
    for (int i = 0; i < STRIDE; i += SPECIES.length()) {
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
              .or(stride.or((byte) Ascii.CASE_BIT).sub((byte) '{').compare(ULT, (byte) 4))
              // < > ?, as = becomes 3
              .or(stride.lanewise(XOR, (byte) '>').compare(ULT, (byte) 3))
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
