package dev.peregrine.parser.field;

import dev.peregrine.parser.grammar.Ascii;
import dev.peregrine.parser.grammar.Memory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Where the field lines of one section are, as offsets from the base that the section was scanned
 * with, and which of their names are known. Reused from message to message; grows to the largest
 * section it met. Belongs to whoever parses.
 */
public final class FieldLines {
  private static final int LINES_AT_FIRST = 32;

  /** A block has at most this many colons and CRs. */
  private static final int BLOCK_MARKS = Long.SIZE;

  /** CR that ends the line before the section, then a colon and a CR for each field line. */
  private int[] marks = new int[2 * LINES_AT_FIRST + BLOCK_MARKS];

  private int marked;
  private int markedMax;

  /** Start and end of each value without surrounding whitespace, in the upper and lower half. */
  private long[] values = new long[LINES_AT_FIRST];

  /** Index into the name table of each line. */
  private byte[] names = new byte[LINES_AT_FIRST];

  /** The first line of each known name; holds only where its bit is set in {@link #present}. */
  private final int[] firstLines = new int[NameTable.IDS];

  private long present;
  private long repeated;

  /** Forgets all lines; the section's first line is at {@code start}. */
  void begin(int start, int linesMax) {
    marks[0] = start - 2;
    marked = 1;
    markedMax = 1 + 2 * linesMax;
    present = 0;
    repeated = 0;
  }

  void addColon(int at) {
    reserve();
    marks[marked++] = at;
  }

  void addCarriageReturn(int at) {
    marks[marked++] = at;
  }

  /**
   * Adds the colons and CRs of a block that starts at an offset; false if there are more lines now
   * than there may be.
   */
  boolean addMarks(int offset, long bits) {
    reserve();
    int[] target = marks;
    int count = marked;
    for (long left = bits; left != 0; left &= left - 1) {
      target[count++] = offset + Long.numberOfTrailingZeros(left);
    }
    marked = count;
    return count <= markedMax;
  }

  /**
   * Drops what was added of a line that is not whole, and lines that are too many.
   *
   * @param lineStart the offset behind the last whole line
   * @return the offset behind the last line that is left
   */
  int keepWhole(int lineStart) {
    while (marks[marked - 1] >= lineStart - 1) {
      marked--;
    }
    marked = Math.min(marked, markedMax);
    return marks[marked - 1] + 2;
  }

  /** How many complete lines there are. */
  public int count() {
    return (marked - 1) / 2;
  }

  public int nameStart(int line) {
    return marks[2 * line] + 2;
  }

  public int nameEnd(int line) {
    return marks[2 * line + 1];
  }

  public int valueStart(int line) {
    return (int) (values[line] >>> Integer.SIZE);
  }

  public int valueEnd(int line) {
    return (int) values[line];
  }

  /** The name's index in the table, or {@link NameTable#UNKNOWN}. */
  public int nameId(int line) {
    return names[line];
  }

  /** One bit for each known name that a line has. */
  public long present() {
    return present;
  }

  /** One bit for each known name that several lines have. */
  public long repeated() {
    return repeated;
  }

  /** The first line with a name that is present. */
  public int firstLine(int nameId) {
    return firstLines[nameId];
  }

  /** Trims every value and recognises every name, once the section is complete. */
  void finish(NameTable table, MemorySegment bytes, int base) {
    int count = count();
    if (values.length < count) {
      values = new long[marks.length / 2];
      names = new byte[marks.length / 2];
    }
    long seen = 0;
    long twice = 0;
    for (int line = count - 1; line >= 0; line--) {
      int start = base + marks[2 * line] + 2;
      int colon = base + marks[2 * line + 1];
      int end = base + marks[2 * line + 2];
      int id = table.find(bytes, start, colon);
      long bit = 1L << id;
      twice |= seen & bit;
      seen |= bit;
      names[line] = (byte) id;
      firstLines[id] = line;
      values[line] =
          isPlain(bytes, colon, end)
              ? pair(colon - base + 2, end - base)
              : trimmed(bytes, base, colon + 1, end);
    }
    present = seen & ~NameTable.UNKNOWN_BIT;
    repeated = twice & ~NameTable.UNKNOWN_BIT;
  }

  private void reserve() {
    if (marked + BLOCK_MARKS > marks.length) {
      marks = Arrays.copyOf(marks, 2 * marks.length);
    }
  }

  /** Whether one space and no other whitespace surrounds a value that is not empty. */
  private static boolean isPlain(MemorySegment bytes, int colon, int end) {
    int firstTwo = Memory.shortAt(bytes, colon + 1);
    return (firstTwo & 0xFF) == Ascii.SP
        && firstTwo >>> Byte.SIZE > Ascii.SP
        && (Memory.byteAt(bytes, end - 1) & 0xFF) > Ascii.SP;
  }

  private static long trimmed(MemorySegment bytes, int base, int from, int to) {
    int start = from;
    int end = to;
    while (start < end && Ascii.isBlank(Memory.byteAt(bytes, start))) {
      start++;
    }
    while (end > start && Ascii.isBlank(Memory.byteAt(bytes, end - 1))) {
      end--;
    }
    return pair(start - base, end - base);
  }

  private static long pair(int start, int end) {
    return (long) start << Integer.SIZE | end;
  }
}
