package dev.peregrine.bench.technique;

import dev.peregrine.bench.corpus.Corpus;
import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.parser.field.FieldLines;
import dev.peregrine.parser.field.FieldSection;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.scan.SwarScanner;
import dev.peregrine.parser.vector.VectorScanner;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Finds and validates the field lines of a head: in one pass over all bytes, or first the line end,
 * then the colon in the line, then the bytes on both sides of it.
 */
public class HeaderSectionBenchmark extends Technique {
  private static final int LINES_MAX = 100;
  private static final int SECTION_BYTES_MAX = 32 * 1024;

  @Param({"small", "browser"})
  String head;

  private final VectorScanner vector = VectorScanner.preferred();
  private final SwarScanner swar = new SwarScanner();
  private final FieldSection section = new FieldSection();
  private final int[] colons = new int[LINES_MAX];
  private final int[] ends = new int[LINES_MAX];
  private MemorySegment bytes;
  private long base;
  private long to;
  private long lastBlock;
  private int start; // offset of the section in the head
  private int requestLineEnd;

  /** Lays the head out and checks that all forms have the same result. */
  @Setup
  public void setUp() {
    Corpus corpus = Corpus.named(head);
    Input input = Input.of(corpus.bytes());
    bytes = input.bytes();
    base = input.from();
    to = input.to();
    lastBlock = to + NativeHeads.SLACK_BYTES - VectorScanner.STRIDE;
    requestLineEnd = corpus.text().indexOf('\r');
    start = requestLineEnd + 2;
    checkEqual(corpus.text().length(), lineThenSplit(), onePassWords(), onePassVectors());
    FieldLines lines = section.lines();
    for (int line = 0; line < lines.count(); line++) {
      check(lines.nameEnd(line) == colons[line], "colon of line " + line);
      check(lines.carriageReturnBefore(line + 1) == ends[line], "end of line " + line);
    }
  }

  /** Four searches for each line, with the same vectors. */
  @Benchmark
  public int lineThenSplit() {
    long at = base + start;
    for (int line = 0; Memory.byteAt(bytes, at) != Ascii.CR; line++) {
      long end = vector.indexOf(Ascii.CR, bytes, at, to);
      long colon = vector.indexOf(Ascii.COLON, bytes, at, end);
      boolean right =
          colon > at
              && colon < end
              && Memory.shortAt(bytes, end) == Ascii.CRLF
              && vector.tokenEnd(bytes, at, colon) == colon
              && vector.fieldValueEnd(bytes, colon + 1, end) == end;
      if (!right) {
        return FieldSection.FAULTY;
      }
      colons[line] = (int) (colon - base);
      ends[line] = (int) (end - base);
      at = end + 2;
    }
    return (int) (at + 2 - base);
  }

  /** The server's way without vectors: to the end of the name, to the end of the value. */
  @Benchmark
  public int onePassWords() {
    section.begin(start, SECTION_BYTES_MAX, LINES_MAX);
    return section.advance(swar, bytes, base, to, false);
  }

  /**
   * The server's way: all colons, CRs and illegal bytes of 64 bytes at once; then the byte after
   * each CR.
   */
  @Benchmark
  public int onePassVectors() {
    long block = base + requestLineEnd;
    int end =
        section.takeAll(
            vector, bytes, base, block, to, lastBlock, start, SECTION_BYTES_MAX, LINES_MAX);
    FieldLines lines = section.lines();
    int wrong = 0;
    for (int line = lines.count(); line >= 0; line--) {
      wrong |= Memory.shortAt(bytes, base + lines.carriageReturnBefore(line)) ^ Ascii.CRLF;
    }
    return wrong == 0 ? end : FieldSection.FAULTY;
  }
}
