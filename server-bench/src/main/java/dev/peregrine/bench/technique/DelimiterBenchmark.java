package dev.peregrine.bench.technique;

import dev.peregrine.parser.scan.ScalarScanner;
import dev.peregrine.parser.scan.Scanner;
import dev.peregrine.parser.scan.SwarScanner;
import dev.peregrine.parser.vector.VectorScanner;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Finds the end of a line: byte by byte, eight bytes in a long, 64 bytes in vectors. */
public class DelimiterBenchmark extends Technique {
  private static final byte LF = '\n';

  @Param({"40", "4096"})
  int lineBytes;

  private final ScalarScanner scalar = new ScalarScanner();
  private final SwarScanner swar = new SwarScanner();
  private final VectorScanner vector = new VectorScanner();
  private Input lines;

  /** Lays the lines out and checks that all scanners find their ends. */
  @Setup
  public void setUp() {
    lines = Input.of(Lines.ofAbout(lineBytes, "\n"));
    checkEqual(byteLoop(), words(), vectors());
  }

  /** One byte at a time. */
  @Benchmark
  @OperationsPerInvocation(Lines.COUNT)
  public long byteLoop() {
    return sum(scalar, lines);
  }

  /** Eight bytes at a time. */
  @Benchmark
  @OperationsPerInvocation(Lines.COUNT)
  public long words() {
    return sum(swar, lines);
  }

  /** As many bytes at a time as the machine's vectors hold. */
  @Benchmark
  @OperationsPerInvocation(Lines.COUNT)
  public long vectors() {
    return sum(vector, lines);
  }

  private static long sum(Scanner scanner, Input lines) {
    long sum = 0;
    for (long at = lines.from(); at < lines.to(); at++) {
      at = scanner.indexOf(LF, lines.bytes(), at, lines.to());
      sum += at;
    }
    return sum;
  }
}
