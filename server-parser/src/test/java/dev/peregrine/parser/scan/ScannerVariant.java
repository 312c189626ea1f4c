package dev.peregrine.parser.scan;

import dev.peregrine.parser.ScannerKind;
import java.util.ArrayList;
import java.util.List;

/** A scanner to test, by name: scalar, SWAR, and vectors of every width. */
public record ScannerVariant(String name, ScannerKind kind, Scanner scanner) {
  public static List<ScannerVariant> all() {
    var variants = new ArrayList<ScannerVariant>();
    variants.add(reference());
    variants.add(new ScannerVariant("swar", ScannerKind.SWAR, Scanners.swar()));
    return variants;
  }

  public static ScannerVariant reference() {
    return new ScannerVariant("scalar", ScannerKind.SCALAR, Scanners.scalar());
  }

  @Override
  public String toString() {
    return name;
  }
}
