package dev.peregrine.bench.technique;

import dev.peregrine.bench.corpus.Corpus;
import dev.peregrine.bench.corpus.ExpectedHead;
import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Parses a head that arrives at once or in pieces of equal size, after each of which it parses. */
public class PartialHeadBenchmark extends Technique {
  @Param({"browser", "api-token"})
  String head;

  @Param({"2", "16"})
  int pieces;

  private final RequestParser parser = new RequestParser(ParserLimits.DEFAULT);
  private final RequestHead parsed = new RequestHead();
  private MemorySegment bytes;
  private int length;

  /** Lays the head out and checks that all forms have the same result. */
  @Setup
  public void setUp() {
    Corpus corpus = Corpus.named(head);
    NativeHeads heads = NativeHeads.of(corpus.bytes());
    bytes = heads.segment();
    length = heads.length();
    ExpectedHead expected = ExpectedHead.of(corpus.text());
    checkParsed(expected, whole());
    checkParsed(expected, restarted());
    checkParsed(expected, resumed());
  }

  /** In one piece: the lower bound. */
  @Benchmark
  public int whole() {
    return parser.parse(bytes, 0, length, parsed);
  }

  /** From the head's first byte again after each piece. */
  @Benchmark
  public int restarted() {
    int result = 0;
    for (int piece = 1; piece <= pieces; piece++) {
      parsed.reset();
      result = parser.parse(bytes, 0, length * piece / pieces, parsed);
    }
    return result;
  }

  /** The server's way: from where the parse of the piece before has stopped. */
  @Benchmark
  public int resumed() {
    int result = 0;
    for (int piece = 1; piece <= pieces; piece++) {
      result = parser.parse(bytes, 0, length * piece / pieces, parsed);
    }
    return result;
  }

  private void checkParsed(ExpectedHead expected, int result) {
    check(result == length, "length " + result);
    check(ExpectedHead.of(bytes, 0, parsed).equals(expected), "fields");
  }
}
