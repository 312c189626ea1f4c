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

  /** A block has at most this many colons and CRs, and some more are written than there are. */
  private static final int BLOCK_MARKS = Long.SIZE + 4;

  /** Ints of a line in the index, behind the first {@link NameTable#IDS}. */
  private static final int LINE = 4;

  private static final int NAME_ID = NameTable.IDS;
  private static final int VALUE_START = NameTable.IDS + 1;
  private static final int VALUE_END = NameTable.IDS + 2;

  /** CR that ends the line before the section, then a colon and a CR for each field line. */
  private int[] marks = new int[2 * LINES_AT_FIRST + BLOCK_MARKS];

  private int marked;
  private int markedMax;

  /**
   * The first line of each name id, which holds only where its bit is set in {@link #present}; then
   * for each line its name id and where its value starts and ends. One array, because the loop that
   * fills it is short of registers.
   */
  private int[] index = new int[NameTable.IDS + LINE * LINES_AT_FIRST];

  private long present;
  private long repeated;

  /** Whether each value has one space before it, none behind it, and is not empty. */
  private boolean plain;

  /** Forgets all lines; the section's first line is at {@code start}. */
  void begin(int start, int linesMax) {
    marks[0] = start - 2;
    marked = 1;
    markedMax = 1 + 2 * linesMax;
    present = 0;
    repeated = 0;
    plain = true;
  }

  /** Says that there may be whitespace behind values. */
  void expectUnusualSpace() {
    plain = false;
  }

  void addColon(int at) {
    reserve();
    marks[marked++] = at;
    plain = false;
  }

  void addCarriageReturn(int at) {
    marks[marked++] = at;
  }

  void addLine(int colon, int carriageReturn) {
    reserve();
    marks[marked] = colon;
    marks[marked + 1] = carriageReturn;
    marked += 2;
    plain = false;
  }

  /** Whether there are as many lines as there may be. */
  boolean isFull() {
    return marked >= markedMax;
  }

  /**
   * Adds the colons and CRs of a block that starts at an offset; false if there are more lines now
   * than there may be.
   */
  boolean addMarks(int offset, long bits) {
    reserve();
    int[] target = marks;
    int count = marked;
    long left = bits;
    // four at a time, needed or not, because that costs less than a branch for each
    for (int next = count; left != 0; next += 4) {
      target[next] = offset + Long.numberOfTrailingZeros(left);
      left &= left - 1;
      target[next + 1] = offset + Long.numberOfTrailingZeros(left);
      left &= left - 1;
      target[next + 2] = offset + Long.numberOfTrailingZeros(left);
      left &= left - 1;
      target[next + 3] = offset + Long.numberOfTrailingZeros(left);
      left &= left - 1;
    }
    count += Long.bitCount(bits);
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
    return plain ? marks[2 * line + 1] + 2 : index[LINE * line + VALUE_START];
  }

  public int valueEnd(int line) {
    return plain ? marks[2 * line + 2] : index[LINE * line + VALUE_END];
  }

  /** The name's index in the table, or {@link NameTable#UNKNOWN}. */
  public int nameId(int line) {
    return index[LINE * line + NAME_ID];
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
    return index[nameId];
  }

  /** Trims every value and recognises every name, once the section is complete. */
  void finish(NameTable table, MemorySegment bytes, int base) {
    if (index.length < NameTable.IDS + LINE * count()) {
      index = new int[NameTable.IDS + LINE * marks.length / 2];
    }
    recognise(table, bytes, base);
    if (!plain) {
      trim(bytes, base);
    }
  }

  private void recognise(NameTable table, MemorySegment bytes, int base) {
    int[] places = marks;
    int[] found = index;
    long seen = 0;
    long twice = 0;
    // backwards, so that the first line of a name is the one that stays
    for (int line = count() - 1; line >= 0; line--) {
      int start = base + places[2 * line] + 2;
      int colon = base + places[2 * line + 1];
      long around = around(bytes, start, colon);
      if (!startsPlainly(around)) {
        plain = false;
      }
      int id = table.find(bytes, start, colon - start, around);
      long bit = 1L << id;
      twice |= seen & bit;
      seen |= bit;
      found[id] = line;
      found[LINE * line + NAME_ID] = id;
    }
    present = seen & ~NameTable.UNKNOWN_BIT;
    repeated = twice & ~NameTable.UNKNOWN_BIT;
  }

  /** The last bytes of the name, the colon, and two bytes of the value. */
  private static long around(MemorySegment bytes, int start, int colon) {
    if (colon >= NameTable.TAIL) {
      return Memory.longAt(bytes, colon - NameTable.TAIL);
    }
    long around = 0;
    for (int at = colon + 2; at >= start; at--) {
      around = around << Byte.SIZE | (Memory.byteAt(bytes, at) & 0xFF);
    }
    return around << ((NameTable.TAIL - (colon - start)) * Byte.SIZE);
  }

  /** Whether one space is behind the colon, and then no whitespace. */
  private static boolean startsPlainly(long around) {
    long firstTwo = around >>> ((NameTable.TAIL + 1) * Byte.SIZE);
    return (firstTwo & 0xFF) == Ascii.SP && firstTwo >>> Byte.SIZE > Ascii.SP;
  }

  private void trim(MemorySegment bytes, int base) {
    for (int line = count() - 1; line >= 0; line--) {
      int colon = base + marks[2 * line + 1];
      int end = base + marks[2 * line + 2];
      int start = colon + 2;
      if (!isPlain(bytes, colon, end)) {
        start = trimmedStart(bytes, colon + 1, end);
        end = trimmedEnd(bytes, start, end);
      }
      index[LINE * line + VALUE_START] = start - base;
      index[LINE * line + VALUE_END] = end - base;
    }
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

  private static int trimmedStart(MemorySegment bytes, int from, int to) {
    int start = from;
    while (start < to && Ascii.isBlank(Memory.byteAt(bytes, start))) {
      start++;
    }
    return start;
  }

  private static int trimmedEnd(MemorySegment bytes, int from, int to) {
    int end = to;
    while (end > from && Ascii.isBlank(Memory.byteAt(bytes, end - 1))) {
      end--;
    }
    return end;
  }
}
