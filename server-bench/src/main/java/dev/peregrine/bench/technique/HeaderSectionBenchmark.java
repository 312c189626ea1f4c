package dev.peregrine.bench.technique;

import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.parser.field.FieldLines;
import dev.peregrine.parser.field.FieldSection;
import dev.peregrine.parser.field.StrideScanner;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.scan.Scanner;
import dev.peregrine.parser.scan.SwarScanner;
import dev.peregrine.parser.vector.VectorScanner;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Finds and validates the field lines of a head: in one pass over all bytes, or first the line end,
 * then the colon in the line, then the bytes on both sides of it. Each form stores the place of
 * each colon and line end, except the two that only validate.
 */
public class HeaderSectionBenchmark extends Technique {
  private static final int LINES_MAX = 100;
  private static final int SECTION_BYTES_MAX = 32 * 1024;

  /**
   * The step from one checked head to the next: checks of all heads would shape the compiled code.
   */
  private static final int CHECKED_STEP = 16;

  @Param({"small", "browser", "varied"})
  String head;

  private final VectorScanner vector = new VectorScanner();
  private final SwarScanner swar = new SwarScanner();
  private final FieldSection section = new FieldSection();

  /** For each line the offset of its colon, then that of its CR. */
  private final int[] places = new int[2 * LINES_MAX];

  private Heads heads;
  private int[] fields; // by head: the offset of its first field
  private MemorySegment bytes;
  private long lastStride;
  private int which;
  private long base;
  private long to;
  private int start;

  /** Lays the heads out and checks that all forms find the same places. */
  @Setup
  public void setUp() {
    heads = Heads.named(head);
    bytes = heads.input().bytes();
    lastStride = heads.input().to() + NativeHeads.SLACK_BYTES - StrideScanner.STRIDE;
    fields = new int[heads.count()];
    Arrays.setAll(fields, i -> heads.text(i).indexOf('\n') + 1);
    for (int i = 0; i < heads.count(); i += CHECKED_STEP) {
      int length = heads.length(i);
      int[] expected = expectedPlaces(heads.text(i), fields[i]);
      choose(i);
      checkEqual(length, split(vector, true), split(vector, false), validated());
      choose(i);
      checkPlaces(expected, split(vector, true), places, 0);
      checkPlaces(expected, split(swar, true), places, 0);
      Arrays.fill(section.lines().marks(), -1);
      checkPlaces(expected, placed(), section.lines().marks(), 1);
      Arrays.fill(section.lines().marks(), -1);
      checkPlaces(expected, onePass(), section.lines().marks(), 1);
    }
  }

  /** Four searches for each line, by vectors. */
  @Benchmark
  public int lineThenSplit() {
    choose(heads.next());
    return split(vector, true);
  }

  /** Four searches for each line, by words. */
  @Benchmark
  public int lineThenSplitWords() {
    choose(heads.next());
    return split(swar, true);
  }

  /** The server's way without vectors: to the end of the name, to the end of the value. */
  @Benchmark
  public int onePassWords() {
    choose(heads.next());
    return onePass();
  }

  /** The server's way: all colons, CRs and illegal bytes of 64 bytes at once, then their places. */
  @Benchmark
  public int onePassVectors() {
    choose(heads.next());
    return placed();
  }

  /** Four searches for each line, by vectors; no place is stored. */
  @Benchmark
  public int lineThenSplitUnplaced() {
    choose(heads.next());
    return split(vector, false);
  }

  /** The server's way until a handler reads a field: the places are not computed yet. */
  @Benchmark
  public int onePassVectorsUnplaced() {
    choose(heads.next());
    return validated();
  }

  private void choose(int i) {
    which = i;
    base = heads.start(i);
    to = base + heads.length(i);
    start = fields[i];
  }

  private int split(Scanner scanner, boolean store) {
    long at = base + start;
    for (int line = 0; Memory.byteAt(bytes, at) != Ascii.CR; line++) {
      long end = scanner.indexOf(Ascii.CR, bytes, at, to);
      long colon = scanner.indexOf(Ascii.COLON, bytes, at, end);
      boolean right =
          colon > at
              && colon < end
              && Memory.shortAt(bytes, end) == Ascii.CRLF
              && scanner.tokenEnd(bytes, at, colon) == colon
              && scanner.fieldValueEnd(bytes, colon + 1, end) == end;
      if (!right) {
        return FieldSection.FAULTY;
      }
      if (store) {
        places[2 * line] = (int) (colon - base);
        places[2 * line + 1] = (int) (end - base);
      }
      at = end + 2;
    }
    return (int) (at + 2 - base);
  }

  private int onePass() {
    section.begin(start, SECTION_BYTES_MAX, LINES_MAX);
    return section.advance(swar, bytes, base, to, false);
  }

  private int placed() {
    int end = validated();
    section.lines().ensureMarked();
    return end;
  }

  private int validated() {
    return section.takeAll(
        vector, bytes, base, to, lastStride, start, SECTION_BYTES_MAX, LINES_MAX);
  }

  private void checkPlaces(int[] expected, int end, int[] found, int from) {
    check(end == heads.length(which), "end of " + heads.text(which));
    check(
        Arrays.equals(expected, 0, expected.length, found, from, from + expected.length),
        "places in " + heads.text(which));
    if (from > 0) {
      FieldLines lines = section.lines();
      check(2 * lines.count() == expected.length, "lines of " + heads.text(which));
    }
  }

  private static int[] expectedPlaces(String text, int start) {
    int[] expected = new int[2 * LINES_MAX];
    int count = 0;
    for (int at = start; text.charAt(at) != '\r'; at = text.indexOf('\n', at) + 1) {
      expected[count++] = text.indexOf(':', at);
      expected[count++] = text.indexOf('\r', at);
    }
    return Arrays.copyOf(expected, count);
  }
}
