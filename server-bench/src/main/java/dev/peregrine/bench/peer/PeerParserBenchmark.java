package dev.peregrine.bench.peer;

import dev.peregrine.bench.corpus.Corpus;
import dev.peregrine.bench.corpus.ExpectedHead;
import dev.peregrine.bench.parse.CorpusBenchmark;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Other servers' parsers on the corpora of our own {@code ParseBenchmark}; per corpus, too. */
public class PeerParserBenchmark extends CorpusBenchmark {
  @Param Peer peer;

  private PeerParser parser;

  /** Checks that the parser accepts every head and sees every field. */
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
