package dev.peregrine.parser.field;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.scan.Scanner;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;

/**
 * Adds complete, valid field lines without the states of {@link FieldSection}. It stops at the
 * first other line, and leaves its fault to {@link FieldSection}.
 */
final class FastLines {
  private FastLines() {}

  /**
   * Adds the lines from index {@code from}, where a line starts, to {@code to}.
   *
   * @return the offset after the section's empty line; or, if that was not reached, the complement
   *     of the offset of the first line that was not added
   */
  static int add(
      Scanner scanner, MemorySegment bytes, long base, long from, long to, FieldLines lines) {
    return scanner instanceof StrideScanner strides
        ? strides.addLines(bytes, base, from, to, lines)
        : addOneByOne(scanner, bytes, base, from, to, lines);
  }

  private static int addOneByOne(
      Scanner scanner, MemorySegment bytes, long base, long from, long to, FieldLines lines) {
    // locals, which C2 keeps in registers over both scans (ParserDuel, swar)
    int[] marks = lines.marks();
    int marked = lines.marked();
    int markedMax = lines.markedMax();
    long at = from;
    while (marked < markedMax) {
      long colon = scanner.tokenEnd(bytes, at, to);
      if (colon == at || colon == to || Memory.byteAt(bytes, colon) != Ascii.COLON) {
        break;
      }
      long end = scanner.fieldValueEnd(bytes, colon + 1, to);
      if (end + 2 > to || Memory.shortAt(bytes, end) != Ascii.CRLF) {
        break;
      }
      if (marked + 1 >= marks.length) {
        marks = lines.moreMarks();
      }
      marks[marked] = (int) (colon - base);
      marks[marked + 1] = (int) (end - base);
      marked += 2;
      at = end + 2;
    }
    lines.setMarked(marked);
    boolean complete = at + 2 <= to && Memory.shortAt(bytes, at) == Ascii.CRLF;
    return complete ? (int) (at + 2 - base) : ~(int) (at - base);
  }
}
