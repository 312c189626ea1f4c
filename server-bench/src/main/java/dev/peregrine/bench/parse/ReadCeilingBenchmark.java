package dev.peregrine.bench.parse;

import dev.peregrine.bench.corpus.Corpus;
import dev.peregrine.bench.corpus.NativeHeads;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/** The cost of only loading the bytes that {@link ParseBenchmark} parses. */
public class ReadCeilingBenchmark extends CorpusBenchmark {
  private NativeHeads heads;

  /** Lays the corpus out. */
  @Setup
  public void setUp() {
    heads = NativeHeads.of(Corpus.named(corpus).bytes());
  }

  /** Loads every byte once. */
  @Benchmark
  public long read() {
    return ReadCeiling.read(heads);
  }
}
