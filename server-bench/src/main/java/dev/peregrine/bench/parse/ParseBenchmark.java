package dev.peregrine.bench.parse;

import dev.peregrine.bench.corpus.Corpus;
import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.parser.ScannerKind;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * One pass over a corpus by each scanner. The figure is for the whole corpus: "pipelined" has 16
 * heads, "varied" 2,048, the others one. {@link ReadCeilingBenchmark} is the ceiling for parsers.
 */
public class ParseBenchmark extends CorpusBenchmark {
  @Param ScannerKind scanner;

  private HeadLoop loop;
  private NativeHeads heads;

  /** Lays the corpus out and checks that the parser reads it correctly. */
  @Setup
  public void setUp() {
    Corpus text = Corpus.named(corpus);
    heads = NativeHeads.of(text.bytes());
    loop = new HeadLoop(scanner);
    loop.check(text, heads);
  }

  /** Parses every head of the corpus. */
  @Benchmark
  public long parse() {
    return loop.run(heads);
  }
}
