package dev.peregrine.bench.technique;

import dev.peregrine.parser.ScannerKind;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Parses a head, then looks some of its fields up by strings: from how many look-ups on it pays to
 * recognise all names first.
 */
public class FieldIndexBenchmark extends Technique {
  @Param({"small", "browser"})
  String head;

  @Param({"1", "2", "4", "6"})
  int lookUps;

  private FieldSearch fields;

  /** Checks that both forms find the same fields. */
  @Setup
  public void setUp() {
    fields = new FieldSearch(head, ScannerKind.SWAR);
    checkEqual(scanned(), indexed());
  }

  /** Compares the names of all fields for each look-up. */
  @Benchmark
  public int scanned() {
    fields.parse();
    int sum = 0;
    for (int i = 0; i < lookUps; i++) {
      sum += fields.scanned(FieldSearch.NAMES.get(i));
    }
    return sum;
  }

  /** Recognises all names, then goes from each string to its bit. */
  @Benchmark
  public int indexed() {
    fields.parse();
    fields.index();
    int sum = 0;
    for (int i = 0; i < lookUps; i++) {
      sum += fields.found(FieldSearch.NAMES.get(i));
    }
    return sum;
  }
}
