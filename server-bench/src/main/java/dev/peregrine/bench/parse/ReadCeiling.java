package dev.peregrine.bench.parse;

import dev.peregrine.bench.corpus.NativeHeads;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Only loads every byte of a corpus with the widest vectors. */
final class ReadCeiling {
  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;

  private ReadCeiling() {}

  /**
   * Returns the exclusive or of all vectors, reduced to a byte; the last vector reaches into the
   * slack.
   */
  static long read(NativeHeads heads) {
    MemorySegment segment = heads.segment();
    ByteVector sum = ByteVector.zero(SPECIES);
    for (int at = 0; at < heads.length(); at += SPECIES.length()) {
      sum =
          sum.lanewise(
              VectorOperators.XOR,
              ByteVector.fromMemorySegment(SPECIES, segment, at, ByteOrder.LITTLE_ENDIAN));
    }
    return sum.reduceLanes(VectorOperators.XOR);
  }
}
