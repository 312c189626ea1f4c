package dev.peregrine.parser.scan;

import dev.peregrine.parser.ScannerKind;
import dev.peregrine.parser.vector.VectorSupport;
import java.util.ArrayList;
import java.util.List;

/** A scanner to test, by name: scalar, SWAR, and vectors of the width that the VM prefers. */
public record ScannerVariant(String name, ScannerKind kind, Scanner scanner) {
  public static List<ScannerVariant> all() {
    var variants = new ArrayList<ScannerVariant>();
    variants.add(reference());
    variants.add(new ScannerVariant("swar", ScannerKind.SWAR, new SwarScanner()));
    if (VectorSupport.problem() == null) {
      variants.add(new ScannerVariant("vector", ScannerKind.VECTOR, VectorSupport.scanner()));
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
