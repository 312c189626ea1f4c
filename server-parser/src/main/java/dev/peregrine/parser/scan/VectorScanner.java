package dev.peregrine.parser.scan;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import dev.peregrine.parser.grammar.Ascii;
import dev.peregrine.parser.grammar.Memory;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Looks at blocks of 64 bytes with vectors and answers with one bit for each byte, the first byte
 * in the lowest. Vectors never leave a method, so that none is ever an object in compiled code.
 *
 * <p>Each question is asked of a species that the compiler sees as a constant, as long as only the
 * preferred one is in use; others are right but slow, and are there for the tests.
 */
public final class VectorScanner implements Scanner {
  /** Bytes that one answer is about. All of them are loaded. */
  public static final int BLOCK = Long.SIZE;

  private static final VectorSpecies<Byte> PREFERRED = ByteVector.SPECIES_PREFERRED;
  private static final SwarScanner WORDS = new SwarScanner();

  private final VectorSpecies<Byte> species;
  private final boolean preferred;

  VectorScanner(VectorSpecies<Byte> species) {
    this.species = species;
    preferred = species.equals(PREFERRED);
  }

  /** The scanner of the machine's preferred width. */
  static VectorScanner preferred() {
    return new VectorScanner(PREFERRED);
  }

  static int preferredBytes() {
    return PREFERRED.length();
  }

  @Override
  public VectorScanner blocks() {
    return this;
  }

  /** Tokens are short: words find their ends sooner than vectors. */
  @Override
  public long tokenEnd(MemorySegment bytes, long from, long to) {
    return WORDS.tokenEnd(bytes, from, to);
  }

  @Override
  public long fieldValueEnd(MemorySegment bytes, long from, long to) {
    long size = bytes.byteSize();
    long at = from;
    while (at < to && at + BLOCK <= size) {
      long illegal = illegalInValue(load(bytes, at), bytes, at);
      if (illegal != 0) {
        return Math.min(to, at + Long.numberOfTrailingZeros(illegal));
      }
      at += BLOCK;
    }
    return at >= to ? to : WORDS.fieldValueEnd(bytes, at, to);
  }

  @Override
  public long targetEnd(MemorySegment bytes, long from, long to) {
    long size = bytes.byteSize();
    long at = from;
    while (at < to && at + BLOCK <= size) {
      long illegal = illegalInTarget(bytes, at);
      if (illegal != 0) {
        return Math.min(to, at + Long.numberOfTrailingZeros(illegal));
      }
      at += BLOCK;
    }
    return at >= to ? to : WORDS.targetEnd(bytes, at, to);
  }

  @Override
  public long indexOf(byte value, MemorySegment bytes, long from, long to) {
    long size = bytes.byteSize();
    long at = from;
    while (at < to && at + BLOCK <= size) {
      long equal = equalTo(value, bytes, at);
      if (equal != 0) {
        return Math.min(to, at + Long.numberOfTrailingZeros(equal));
      }
      at += BLOCK;
    }
    return at >= to ? to : WORDS.indexOf(value, bytes, at, to);
  }

  /** Bytes that are {@code value}. */
  public long equalTo(byte value, MemorySegment bytes, long at) {
    return equalTo(value, load(bytes, at), bytes, at);
  }

  /** The same of a block that was loaded by {@link #load}. */
  public long equalTo(byte value, ByteVector block, MemorySegment bytes, long at) {
    return preferred
        ? equalTo(PREFERRED, value, block, bytes, at)
        : equalTo(species, value, block, bytes, at);
  }

  /**
   * A block if it is one vector, else its beginning: to ask several questions about it with one
   * load. It must not be passed to what may not be inlined.
   */
  public ByteVector load(MemorySegment bytes, long at) {
    return preferred ? load(PREFERRED, bytes, at) : load(species, bytes, at);
  }

  /** Controls, DEL and everything from 0x80 on: what is neither SP nor VCHAR. */
  public long beyondPrintable(ByteVector block, MemorySegment bytes, long at) {
    return preferred
        ? beyondPrintable(PREFERRED, block, bytes, at)
        : beyondPrintable(species, block, bytes, at);
  }

  /** Controls but HTAB, and DEL: everything that cannot stand in a field's value. */
  public long illegalInValue(ByteVector block, MemorySegment bytes, long at) {
    return preferred
        ? illegalInValue(PREFERRED, block, bytes, at)
        : illegalInValue(species, block, bytes, at);
  }

  /** Letters, digits, "-" and "_": what most names are made of. */
  public long namesMostly(ByteVector block, MemorySegment bytes, long at) {
    return preferred
        ? namesMostly(PREFERRED, block, bytes, at)
        : namesMostly(species, block, bytes, at);
  }

  /** Letters, digits, "-" and ".": what most hosts are made of. */
  public long hostsMostly(MemorySegment bytes, long at) {
    return preferred ? hostsMostly(PREFERRED, bytes, at) : hostsMostly(species, bytes, at);
  }

  /** The letters o to r and x: the second one of every name that {@code FramingFields} knows. */
  public long framingSeconds(ByteVector block, MemorySegment bytes, long at) {
    return preferred
        ? framingSeconds(PREFERRED, block, bytes, at)
        : framingSeconds(species, block, bytes, at);
  }

  /** Everything that cannot stand in a path or query. */
  public long illegalInTarget(MemorySegment bytes, long at) {
    return preferred ? illegalInTarget(PREFERRED, bytes, at) : illegalInTarget(species, bytes, at);
  }

  /** All that cannot stand in a path or query, percent signs, and of the rest: ! $ ~. */
  public long specialInTarget(MemorySegment bytes, long at) {
    return preferred ? specialInTarget(PREFERRED, bytes, at) : specialInTarget(species, bytes, at);
  }

  @Override
  public String toString() {
    return "VectorScanner of " + species.vectorBitSize() + " bits";
  }

  private static long equalTo(
      VectorSpecies<Byte> species, byte value, ByteVector loaded, MemorySegment bytes, long at) {
    long mask = 0;
    for (int i = 0; i < BLOCK; i += species.length()) {
      mask |= part(species, loaded, bytes, at + i).eq(value).toLong() << i;
    }
    return mask;
  }

  private static long beyondPrintable(
      VectorSpecies<Byte> species, ByteVector loaded, MemorySegment bytes, long at) {
    long mask = 0;
    for (int i = 0; i < BLOCK; i += species.length()) {
      // + 1 makes DEL the least and leaves what is negative below all that is printable
      VectorMask<Byte> beyond =
          part(species, loaded, bytes, at + i).add((byte) 1).lt((byte) (' ' + 1));
      mask |= beyond.toLong() << i;
    }
    return mask;
  }

  private static long illegalInValue(
      VectorSpecies<Byte> species, ByteVector loaded, MemorySegment bytes, long at) {
    long mask = 0;
    for (int i = 0; i < BLOCK; i += species.length()) {
      ByteVector block = part(species, loaded, bytes, at + i);
      // the controls change places among themselves, and HTAB becomes the first
      ByteVector moved = block.lanewise(VectorOperators.XOR, Ascii.HTAB);
      VectorMask<Byte> illegal = range(moved, '\1', '\37').or(block.eq((byte) 0x7F));
      mask |= illegal.toLong() << i;
    }
    return mask;
  }

  private static long namesMostly(
      VectorSpecies<Byte> species, ByteVector loaded, MemorySegment bytes, long at) {
    long mask = 0;
    for (int i = 0; i < BLOCK; i += species.length()) {
      ByteVector block = part(species, loaded, bytes, at + i);
      VectorMask<Byte> letters = range(block.or((byte) Ascii.CASE_BIT), 'a', 'z');
      VectorMask<Byte> others = block.eq((byte) '-').or(block.eq((byte) '_'));
      mask |= letters.or(others).or(range(block, '0', '9')).toLong() << i;
    }
    return mask;
  }

  private static long hostsMostly(VectorSpecies<Byte> species, MemorySegment bytes, long at) {
    long mask = 0;
    for (int i = 0; i < BLOCK; i += species.length()) {
      ByteVector block = load(species, bytes, at + i);
      VectorMask<Byte> letters = range(block.or((byte) Ascii.CASE_BIT), 'a', 'z');
      VectorMask<Byte> others = range(block, '0', '9').or(range(block, '-', '.'));
      mask |= letters.or(others).toLong() << i;
    }
    return mask;
  }

  private static long framingSeconds(
      VectorSpecies<Byte> species, ByteVector loaded, MemorySegment bytes, long at) {
    long mask = 0;
    for (int i = 0; i < BLOCK; i += species.length()) {
      ByteVector small = part(species, loaded, bytes, at + i).or((byte) Ascii.CASE_BIT);
      mask |= range(small, 'o', 'r').or(small.eq((byte) 'x')).toLong() << i;
    }
    return mask;
  }

  private static long illegalInTarget(VectorSpecies<Byte> species, MemorySegment bytes, long at) {
    long mask = 0;
    for (int i = 0; i < BLOCK; i += species.length()) {
      ByteVector block = load(species, bytes, at + i);
      VectorMask<Byte> illegal =
          // all but VCHAR
          block
              .add((byte) 1)
              .lt((byte) ('!' + 1))
              // [ \ ] and { | }, which differ by the case bit
              .or(range(block.or((byte) Ascii.CASE_BIT), '{', '}'))
              // " #, and < >, which differ by one bit each
              .or(block.and((byte) 0xFE).eq((byte) '"'))
              .or(block.and((byte) 0xFD).eq((byte) '<'))
              .or(block.eq((byte) '^'))
              .or(block.eq((byte) '`'));
      mask |= illegal.toLong() << i;
    }
    return mask;
  }

  private static long specialInTarget(VectorSpecies<Byte> species, MemorySegment bytes, long at) {
    long mask = 0;
    for (int i = 0; i < BLOCK; i += species.length()) {
      ByteVector block = load(species, bytes, at + i);
      VectorMask<Byte> special =
          // all but VCHAR, and !
          block
              .add((byte) 1)
              .lt((byte) ('"' + 1))
              // [ \ ] ^ and { | } ~, which differ by the case bit
              .or(range(block.or((byte) Ascii.CASE_BIT), '{', '~'))
              .or(range(block, '"', '%'))
              .or(block.and((byte) 0xFD).eq((byte) '<'))
              .or(block.eq((byte) '`'));
      mask |= special.toLong() << i;
    }
    return mask;
  }

  /** Bytes from {@code first} to {@code last}. */
  private static VectorMask<Byte> range(ByteVector block, char first, char last) {
    return block.sub((byte) first).compare(VectorOperators.ULT, (byte) (last - first + 1));
  }

  /** A vector of a block: the one that was loaded if that is all. */
  private static ByteVector part(
      VectorSpecies<Byte> species, ByteVector loaded, MemorySegment bytes, long at) {
    return species.length() == BLOCK ? loaded : load(species, bytes, at);
  }

  private static ByteVector load(VectorSpecies<Byte> species, MemorySegment bytes, long at) {
    return Memory.isAll(bytes)
        ? ByteVector.fromMemorySegment(species, Memory.ALL, at, LITTLE_ENDIAN)
        : ByteVector.fromMemorySegment(species, bytes, at, LITTLE_ENDIAN);
  }
}
