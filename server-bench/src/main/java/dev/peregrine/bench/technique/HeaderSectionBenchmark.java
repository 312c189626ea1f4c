package dev.peregrine.bench.technique;

import dev.peregrine.bench.corpus.Corpus;
import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.parser.field.FieldLines;
import dev.peregrine.parser.field.FieldSection;
import dev.peregrine.parser.grammar.Ascii;
import dev.peregrine.parser.grammar.Memory;
import dev.peregrine.parser.scan.Scanners;
import dev.peregrine.parser.scan.SwarScanner;
import dev.peregrine.parser.scan.VectorScanner;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Finds and validates the field lines of a head: in one pass over all bytes, or line end first,
 * then the colon in the line, then what is on both sides of it.
 */
public class HeaderSectionBenchmark extends Technique {
  private static final int LINES_MAX = 100;

  @Param({"small", "browser"})
  String head;

  private final VectorScanner vector = Objects.requireNonNull(Scanners.vector().blocks());
  private final SwarScanner swar = new SwarScanner();
  private final FieldSection section = new FieldSection();
  private final int[] colons = new int[LINES_MAX];
  private final int[] ends = new int[LINES_MAX];
  private MemorySegment bytes;
  private int from;
  private int to;

  /** Lays the head out and makes sure that all forms find the same. */
  @Setup
  public void setUp() {
    Corpus corpus = Corpus.named(head);
    NativeHeads heads = NativeHeads.of(corpus.bytes());
    bytes = heads.segment();
    from = corpus.text().indexOf('\n') + 1;
    to = heads.length();
    checkEqual(to, lineThenSplit(), onePassWords(), onePassVectors());
    FieldLines lines = section.lines();
    for (int line = 0; line < lines.count(); line++) {
      check(lines.nameEnd(line) == colons[line], "colon of line " + line);
      int start = lines.valueStart(bytes, 0, line);
      check(lines.valueEnd(bytes, 0, line, start) == ends[line], "end of line " + line);
    }
  }

  /** Four searches for each line, with the same vectors. */
  @Benchmark
  public int lineThenSplit() {
    int at = from;
    for (int line = 0; Memory.byteAt(bytes, at) != Ascii.CR; line++) {
      int end = vector.indexOf(Ascii.CR, bytes, at, to);
      int colon = vector.indexOf(Ascii.COLON, bytes, at, end);
      boolean right =
          colon > at
              && colon < end
              && Memory.shortAt(bytes, end) == Ascii.CRLF
              && vector.tokenEnd(bytes, at, colon) == colon
              && vector.fieldValueEnd(bytes, colon + 1, end) == end;
      if (!right) {
        return FieldSection.FAULTY;
      }
      colons[line] = colon;
      ends[line] = end;
      at = end + 2;
    }
    return at + 2;
  }

  /** The server's way without vectors: to the end of the name, to the end of the value. */
  @Benchmark
  public int onePassWords() {
    section.begin(from, to, LINES_MAX);
    return section.advance(swar, bytes, 0, to);
  }

  /** The server's way: all delimiters and illegal bytes of 64 bytes at once. */
  @Benchmark
  public int onePassVectors() {
    section.begin(from, to, LINES_MAX);
    return section.advance(vector, bytes, 0, to);
  }
}
