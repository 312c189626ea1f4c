package dev.peregrine.parser;

import dev.peregrine.parser.scan.ScannerVariant;
import dev.peregrine.protocol.Leniency;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The ways to create a parser; all must give the same results. */
public record ParserVariant(ScannerVariant scanner) {
  /** The scalar parser first, as the reference. */
  public static List<ParserVariant> all() {
    return ScannerVariant.all().stream().map(ParserVariant::new).toList();
  }

  public static ParserVariant reference() {
    return new ParserVariant(ScannerVariant.reference());
  }

  public RequestParser strict() {
    return with(ParserLimits.DEFAULT);
  }

  public RequestParser with(ParserLimits limits) {
    return new RequestParser(limits, scanner.kind(), scanner.scanner(), Set.of());
  }

  public RequestParser lenient() {
    return new RequestParser(
        ParserLimits.DEFAULT, scanner.kind(), scanner.scanner(), EnumSet.allOf(Leniency.class));
  }

  @Override
  public String toString() {
    return scanner.toString();
  }
}
