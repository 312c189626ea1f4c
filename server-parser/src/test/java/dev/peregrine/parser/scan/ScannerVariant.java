package dev.peregrine.parser.scan;

import dev.peregrine.parser.ScannerKind;
import dev.peregrine.parser.vector.VectorScanner;
import dev.peregrine.parser.vector.VectorSupport;
import java.util.ArrayList;
import java.util.List;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorSpecies;

/** A scanner to test, by name: scalar, SWAR, and vectors of every width. */
public record ScannerVariant(String name, ScannerKind kind, Scanner scanner) {
  /** All widths, which are correct on every machine and fast only where the machine has them. */
  private static final List<VectorSpecies<Byte>> WIDTHS =
      List.of(ByteVector.SPECIES_128, ByteVector.SPECIES_256, ByteVector.SPECIES_512);

  public static List<ScannerVariant> all() {
    var variants = new ArrayList<ScannerVariant>();
    variants.add(reference());
    variants.add(new ScannerVariant("swar", ScannerKind.SWAR, new SwarScanner()));
    if (VectorSupport.problem() == null) {
      variants.add(new ScannerVariant("vector", ScannerKind.VECTOR, VectorSupport.scanner()));
      for (VectorSpecies<Byte> species : WIDTHS) {
        variants.add(
            new ScannerVariant(
                "vector of " + species.vectorBitSize() + " bits",
                ScannerKind.VECTOR,
                new VectorScanner(species)));
      }
    }
    return variants;
  }

  public static ScannerVariant reference() {
    return new ScannerVariant("scalar", ScannerKind.SCALAR, new ScalarScanner());
  }

  @Override
  public String toString() {
    return name;
  }
}
