package dev.peregrine.bench.technique;

import dev.peregrine.parser.ScannerKind;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Looks six fields of a request up by strings, as handlers and filters do: a few are present, one
 * name is unknown.
 */
public class FieldLookupBenchmark extends Technique {
  @Param({"small", "browser"})
  String head;

  private FieldSearch fields;

  /** Parses and indexes the head, and checks that both forms find the same fields. */
  @Setup
  public void setUp() {
    fields = new FieldSearch(head, ScannerKind.SWAR);
    fields.parse();
    fields.index();
    for (String name : FieldSearch.NAMES) {
      checkEqual(fields.scanned(name), fields.found(name));
    }
    checkEqual(scan(), table());
  }

  /** Compares the names of all fields: the server's way before a field's value was read. */
  @Benchmark
  public int scan() {
    int sum = 0;
    for (String name : FieldSearch.NAMES) {
      sum += fields.scanned(name);
    }
    return sum;
  }

  /** The server's way once the names of a head are recognised: from the string to its bit. */
  @Benchmark
  public int table() {
    int sum = 0;
    for (String name : FieldSearch.NAMES) {
      sum += fields.found(name);
    }
    return sum;
  }
}
