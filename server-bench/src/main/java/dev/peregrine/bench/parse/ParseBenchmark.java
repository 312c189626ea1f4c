package dev.peregrine.bench.parse;

import dev.peregrine.bench.corpus.Corpus;
import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.parser.ScannerKind;
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

/**
 * One pass over a corpus by each scanner. The figure is for the whole corpus: "pipelined" has 16
 * heads, "varied" 2,048, the others one. {@link ReadCeilingBenchmark} is what no parser can beat.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules", "jdk.incubator.vector"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ParseBenchmark {
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

  @Param ScannerKind scanner;

  private HeadLoop loop;
  private NativeHeads heads;

  /** Lays the corpus out and makes sure that the parser reads it rightly. */
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
