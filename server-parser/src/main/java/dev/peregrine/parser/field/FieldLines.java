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
  private static final int FIELDS_AT_FIRST = 32;

  /** CR that ends the line before the section, then a colon and a CR for each field line. */
  private int[] marks = new int[1 + 2 * FIELDS_AT_FIRST];

  private int marked;

  /** Start and end of each value without surrounding whitespace, in the upper and lower half. */
  private long[] values = new long[FIELDS_AT_FIRST];

  /** Index into the name table of each line. */
  private byte[] names = new byte[FIELDS_AT_FIRST];

  /** The first line of each known name; holds only where its bit is set in {@link #present}. */
  private final int[] firstLines = new int[NameTable.IDS];

  private long present;
  private long repeated;

  /** Forgets all lines; the section's first line is at {@code start}. */
  void begin(int start) {
    marks[0] = start - 2;
    marked = 1;
    present = 0;
    repeated = 0;
  }

  void addColon(int at) {
    if (marked + 2 > marks.length) {
      marks = Arrays.copyOf(marks, 2 * marks.length);
    }
    marks[marked++] = at;
  }

  void addCarriageReturn(int at) {
    marks[marked++] = at;
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
    return (int) (values[line] >>> 32);
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
      int id = table.find(bytes, base + nameStart(line), base + nameEnd(line));
      long bit = 1L << id;
      twice |= seen & bit;
      seen |= bit;
      names[line] = (byte) id;
      firstLines[id] = line;
      trim(line, bytes, base);
    }
    present = seen & ~NameTable.UNKNOWN_BIT;
    repeated = twice & ~NameTable.UNKNOWN_BIT;
  }

  private void trim(int line, MemorySegment bytes, int base) {
    int start = marks[2 * line + 1] + 1;
    int end = marks[2 * line + 2];
    while (start < end && Ascii.isBlank(Memory.byteAt(bytes, base + start))) {
      start++;
    }
    while (end > start && Ascii.isBlank(Memory.byteAt(bytes, base + end - 1))) {
      end--;
    }
    values[line] = (long) start << 32 | end;
  }
}
