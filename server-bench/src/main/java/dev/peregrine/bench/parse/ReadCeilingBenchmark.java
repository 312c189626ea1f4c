package dev.peregrine.bench.parse;

import dev.peregrine.bench.corpus.Corpus;
import dev.peregrine.bench.corpus.NativeHeads;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to load the bytes that {@link ParseBenchmark} parses, and no more. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules", "jdk.incubator.vector"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReadCeilingBenchmark {
  @Param({
    "curl",
    "small",
    "form",
    "proxied",
    "rare",
    "browser",
    "short-fields",
    "api-token",
    "pipelined",
    "varied"
  })
  String corpus;

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
