package dev.peregrine.bench.technique;

import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.parser.scan.ScalarScanner;
import dev.peregrine.parser.scan.Scanner;
import dev.peregrine.parser.scan.Scanners;
import dev.peregrine.parser.scan.SwarScanner;
import dev.peregrine.parser.scan.VectorScanner;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
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
  private final VectorScanner vector = Objects.requireNonNull(Scanners.vector().blocks());
  private MemorySegment bytes;
  private int size;

  /** Lays the lines out and makes sure that all scanners find their ends. */
  @Setup
  public void setUp() {
    NativeHeads lines = NativeHeads.of(Lines.ofAbout(lineBytes, "\n"));
    bytes = lines.segment();
    size = lines.length();
    checkEqual(byteLoop(), words(), vectors());
  }

  /** One byte at a time. */
  @Benchmark
  @OperationsPerInvocation(Lines.COUNT)
  public int byteLoop() {
    return sum(scalar, bytes, size);
  }

  /** Eight bytes at a time. */
  @Benchmark
  @OperationsPerInvocation(Lines.COUNT)
  public int words() {
    return sum(swar, bytes, size);
  }

  /** As many bytes at a time as the machine's vectors hold. */
  @Benchmark
  @OperationsPerInvocation(Lines.COUNT)
  public int vectors() {
    return sum(vector, bytes, size);
  }

  private static int sum(Scanner scanner, MemorySegment bytes, int size) {
    int sum = 0;
    for (int at = 0; at < size; at++) {
      at = scanner.indexOf(LF, bytes, at, size);
      sum += at;
    }
    return sum;
  }
}
