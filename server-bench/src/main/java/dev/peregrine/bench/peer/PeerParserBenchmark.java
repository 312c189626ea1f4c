package dev.peregrine.bench.peer;

import dev.peregrine.bench.corpus.Corpus;
import dev.peregrine.bench.corpus.ExpectedHead;
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

/** Other servers' parsers on the corpora of our own {@code ParseBenchmark}; per corpus, too. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PeerParserBenchmark {
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

  @Param Peer peer;

  private PeerParser parser;

  /** Makes sure that the parser takes every head and sees every field. */
  @Setup
  public void setUp() throws Exception {
    Corpus text = Corpus.named(corpus);
    parser = peer.parserFor(text);
    long expected = text.heads().stream().map(ExpectedHead::of).mapToLong(peer::fieldsShown).sum();
    long seen = parser.parseAll();
    if (seen != expected) {
      throw new IllegalStateException(
          peer + " sees " + seen + " fields in " + corpus + ", which has " + expected);
    }
  }

  /** Parses every head of the corpus. */
  @Benchmark
  public long parse() throws Exception {
    return parser.parseAll();
  }
}
