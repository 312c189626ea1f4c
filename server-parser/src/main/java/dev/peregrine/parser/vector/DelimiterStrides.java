package dev.peregrine.parser.vector;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Skips content in which no delimiter of multipart content begins: a CR with a hyphen three bytes
 * after it, as in CR LF and two hyphens. Neither byte is common three bytes from the other, in text
 * or in compressed content. {@code BoundaryBenchmark} compares both loops with words.
 */
public final class DelimiterStrides {
  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;
  private static final int VECTOR = SPECIES.length();
  private static final byte HYPHEN = '-';

  /** The distance of the two bytes. */
  private static final int DISTANCE = 3;

  /** The bytes of one step, in each of which a delimiter may begin. */
  public static final int STRIDE = 4 * VECTOR;

  /** The fewest bytes that are searched at all. */
  public static final int BYTES_MIN = STRIDE + DISTANCE;

  private DelimiterStrides() {}

  /**
   * Skips native memory. Makes no calls that return vectors, so that none becomes an object.
   *
   * @param from an address
   * @return a multiple of {@link #STRIDE}: the bytes in which no delimiter begins. A delimiter may
   *     begin in the stride after them; or fewer than {@link #BYTES_MIN} bytes are left
   */
  public static int skip(long from, int bytes) {
    int last = bytes - BYTES_MIN;
    int i = 0;
    for (; i <= last; i += STRIDE) {
      long at = from + i;
      VectorMask<Byte> first =
          ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at, LITTLE_ENDIAN)
              .eq(Ascii.CR)
              .and(
                  ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at + DISTANCE, LITTLE_ENDIAN)
                      .eq(HYPHEN));
      at += VECTOR;
      VectorMask<Byte> second =
          ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at, LITTLE_ENDIAN)
              .eq(Ascii.CR)
              .and(
                  ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at + DISTANCE, LITTLE_ENDIAN)
                      .eq(HYPHEN));
      at += VECTOR;
      VectorMask<Byte> third =
          ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at, LITTLE_ENDIAN)
              .eq(Ascii.CR)
              .and(
                  ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at + DISTANCE, LITTLE_ENDIAN)
                      .eq(HYPHEN));
      at += VECTOR;
      VectorMask<Byte> fourth =
          ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at, LITTLE_ENDIAN)
              .eq(Ascii.CR)
              .and(
                  ByteVector.fromMemorySegment(SPECIES, Memory.ALL, at + DISTANCE, LITTLE_ENDIAN)
                      .eq(HYPHEN));
      if (first.or(second).or(third.or(fourth)).anyTrue()) {
        break;
      }
    }
    return i;
  }

  /**
   * Skips a part of an array, like {@link #skip(long, int)}. A loop of its own, because one that
   * has seen both kinds of memory loads from neither well.
   *
   * @param from an index in the segment of the array
   */
  public static int skip(MemorySegment array, long from, int bytes) {
    int last = bytes - BYTES_MIN;
    int i = 0;
    for (; i <= last; i += STRIDE) {
      long at = from + i;
      VectorMask<Byte> found = SPECIES.maskAll(false);
      for (int part = 0; part < STRIDE; part += VECTOR) {
        found =
            found.or(
                ByteVector.fromMemorySegment(SPECIES, array, at + part, LITTLE_ENDIAN)
                    .eq(Ascii.CR)
                    .and(
                        ByteVector.fromMemorySegment(
                                SPECIES, array, at + part + DISTANCE, LITTLE_ENDIAN)
                            .eq(HYPHEN)));
      }
      if (found.anyTrue()) {
        break;
      }
    }
    return i;
  }
}
