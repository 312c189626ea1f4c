package dev.peregrine.parser.field;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The places of the field lines of one section, as offsets from the base of its scan. A scan stores
 * only a colon and a CR for each line; {@link #index} adds the rest when a caller needs it. Reused
 * from message to message; grows to the largest section so far. Belongs to the parse that uses it.
 */
public final class FieldLines {
  private static final int LINES_AT_FIRST = 32; // of a scan, which doesn't know their number
  private static final int LINES_STEP = 8; // of a section whose lines are counted before
  private static final int[] NO_ROOM = {}; // before the first section

  /**
   * The room for the marks of a stride: at most 64 colons and CRs, and up to four more that are
   * written and ignored.
   */
  private static final int STRIDE_MARKS = Long.SIZE + 4;

  private static final int MARKS_AT_FIRST = 2 * LINES_AT_FIRST + STRIDE_MARKS;

  /** Ints of a line in the index, after the first {@link NameTable#IDS}. */
  private static final int LINE = 4;

  private static final int NAME_ID = NameTable.IDS;
  private static final int VALUE_START = NameTable.IDS + 1;
  private static final int VALUE_END = NameTable.IDS + 2;

  /**
   * The offset of the CR that ends the line before the section, then of a colon and a CR for each
   * field line.
   */
  private int[] marks = NO_ROOM;

  private int marked;
  private int markedMax;

  /** The result of the last scan in strides; if marks are deferred, their source. */
  private final FieldBits bits = new FieldBits();

  private boolean deferred;

  /**
   * The first line of each name id, which holds only where its bit is set in {@link #present}; then
   * for each line its name id and the start and end of its value.
   */
  private int[] index = NO_ROOM;

  private boolean indexed;
  private long present;

  /** Removes all lines; the section's first line is at {@code start}. */
  void begin(int start, int linesMax) {
    if (marks.length == 0) {
      marks = new int[MARKS_AT_FIRST];
    }
    marks[0] = start - 2;
    marked = 1;
    markedMax = 1 + 2 * linesMax;
    deferred = false;
    indexed = false;
  }

  void addColon(int at) {
    reserve();
    marks[marked++] = at;
  }

  void addCarriageReturn(int at) {
    marks[marked++] = at;
  }

  /** Returns the number of {@link #marks}: one, and two for each line. */
  int marked() {
    return marked;
  }

  /** Returns the largest number of marks that the limit permits. */
  int markedMax() {
    return markedMax;
  }

  /** Sets the number of marks. */
  void setMarked(int count) {
    marked = count;
  }

  /** Doubles the array of marks at least, and returns it. */
  int[] moreMarks() {
    marks = Arrays.copyOf(marks, Math.max(2 * marks.length, MARKS_AT_FIRST));
    return marks;
  }

  /** Returns the result of the last scan in strides. */
  public FieldBits bits() {
    return bits;
  }

  /** Adds the marks that a scan found in strides. */
  void markFound() {
    long[] strides = bits.strides();
    int end = bits.used();
    int count = marked;
    for (int stride = 0; stride < end; stride += FieldBits.STRIDE) {
      int offset = (int) (strides[stride] - bits.base());
      count = addMarks(count, offset, strides[stride + FieldBits.MARKS]);
    }
    marked = count;
  }

  /**
   * Starts a section of which a scan in strides has found all lines, including the CR before the
   * first. {@link #ensureMarked} computes their places.
   *
   * @return false if they are more than the limit
   */
  boolean deferMarks(int linesMax) {
    marked = bits.marks();
    deferred = true;
    indexed = false;
    return count() <= linesMax;
  }

  /**
   * Takes the marks that a scan found in strides, including the CR before the first line, without
   * those of an incomplete line or of lines above the limit.
   *
   * @return the offset after the last line taken
   */
  int takeWhole(MemorySegment bytes, long base, long to) {
    marked = 0;
    markFound();
    return keepWhole(bytes, base, to);
  }

  /** Computes the places of the lines if a scan has deferred that. */
  public void ensureMarked() {
    if (deferred) {
      deferred = false;
      marked = 0;
      markFound();
    }
  }

  /**
   * Adds the colons and CRs of a stride that starts at an offset after the first {@code count}
   * marks.
   *
   * @return the new number of marks, to be set when all strides are added
   */
  private int addMarks(int count, int offset, long found) {
    while (count + STRIDE_MARKS > marks.length) {
      int[] ignored = moreMarks();
    }
    int[] target = marks;
    long left = found;
    // always four at a time, because that costs less than a branch for each
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
    return count + Long.bitCount(found);
  }

  /**
   * Takes over the lines that a scan in strides found.
   *
   * @param end the index of the CR of the section's empty line, or negative if it was not found
   * @return as {@link StrideScanner#addLines}
   */
  public int takeFound(MemorySegment bytes, long base, long end, long to) {
    markFound();
    return end >= 0 && isLineEnd(bytes, end, to) && marked <= markedMax
        ? (int) (end + 2 - base)
        : ~keepWhole(bytes, base, to);
  }

  /**
   * Drops the marks of an incomplete line and of lines above the limit.
   *
   * @return the offset after the last remaining line
   */
  int keepWhole(MemorySegment bytes, long base, long to) {
    int last = Math.min(marked, markedMax) - 1;
    last -= last & 1; // a colon
    while (last > 0 && !isLineEnd(bytes, base + marks[last], to)) {
      last -= 2;
    }
    marked = Math.max(last, 0) + 1;
    return marks[marked - 1] + 2;
  }

  /**
   * Returns the array with the CR that ends the line before the section, then a colon and a CR for
   * each field line. It must not be changed.
   */
  public int[] marks() {
    return marks;
  }

  /** Returns the offset of the CR before a line. */
  public int carriageReturnBefore(int line) {
    return marks[2 * line];
  }

  /** Returns true if a CR and an LF are at an index, both before {@code to}. */
  public static boolean isLineEnd(MemorySegment bytes, long at, long to) {
    return at + 2 <= to && Memory.shortAt(bytes, at) == Ascii.CRLF;
  }

  /** Returns the number of complete lines. */
  public int count() {
    return (marked - 1) / 2;
  }

  public int nameStart(int line) {
    return marks[2 * line] + 2;
  }

  public int nameEnd(int line) {
    return marks[2 * line + 1];
  }

  /** Returns the offset where the value starts, without the whitespace before it. */
  public int valueStart(MemorySegment bytes, long base, int line) {
    int start = marks[2 * line + 1] + 1;
    int end = marks[2 * line + 2];
    while (start < end && Ascii.isBlank(Memory.byteAt(bytes, base + start))) {
      start++;
    }
    return start;
  }

  /**
   * Returns the offset where the value, which starts at an offset, ends, without the whitespace
   * after it.
   */
  public int valueEnd(MemorySegment bytes, long base, int line, int start) {
    int end = marks[2 * line + 2];
    while (end > start && Ascii.isBlank(Memory.byteAt(bytes, base + end - 1))) {
      end--;
    }
    return end;
  }

  /** Returns true if all names of the section are recognised. */
  public boolean isIndexed() {
    return indexed;
  }

  /** Recognises every name and trims every value. */
  public void index(NameTable table, MemorySegment bytes, long base) {
    int count = count();
    if (index.length < NameTable.IDS + LINE * count) {
      index = new int[NameTable.IDS + LINE * Math.max(2 * count, LINES_AT_FIRST)];
    }
    present = 0;
    // backwards, so that the first line of a name is stored last
    for (int line = count - 1; line >= 0; line--) {
      long start = base + nameStart(line);
      int id = table.find(bytes, start, nameEnd(line) - nameStart(line));
      int valueStart = valueStart(bytes, base, line);
      present |= 1L << id;
      index[id] = line;
      index[LINE * line + NAME_ID] = id;
      index[LINE * line + VALUE_START] = valueStart;
      index[LINE * line + VALUE_END] = valueEnd(bytes, base, line, valueStart);
    }
    present &= ~NameTable.UNKNOWN_BIT;
    indexed = true;
  }

  /**
   * Starts a section whose lines are placed and recognised by the caller: {@link #addIndexed} adds
   * each. Such a section has no colons and CRs, so only the methods for an indexed section, and
   * those for names, may be used.
   */
  public void beginIndexed(int linesMax) {
    if (marks.length < 1 + 2 * linesMax || index.length < NameTable.IDS + LINE * linesMax) {
      int lines = (linesMax + LINES_STEP - 1) / LINES_STEP * LINES_STEP;
      marks = new int[1 + 2 * lines];
      index = new int[NameTable.IDS + LINE * lines];
    }
    marked = 1;
    deferred = false;
    indexed = true;
    present = 0;
  }

  /**
   * Adds a line.
   *
   * @return the bit of the name if a line before has it too, otherwise 0
   */
  public long addIndexed(int nameId, int nameStart, int nameEnd, int valueStart, int valueEnd) {
    int line = marked / 2;
    marks[marked - 1] = nameStart - 2;
    marks[marked] = nameEnd;
    marked += 2;
    index[LINE * line + NAME_ID] = nameId;
    index[LINE * line + VALUE_START] = valueStart;
    index[LINE * line + VALUE_END] = valueEnd;
    long bit = 1L << nameId & ~NameTable.UNKNOWN_BIT;
    long repeated = present & bit;
    if (repeated == 0) {
      present |= bit;
      index[nameId] = line;
    }
    return repeated;
  }

  /** Sets the value of a line to another place. */
  public void moveValue(int line, int valueStart, int valueEnd) {
    index[LINE * line + VALUE_START] = valueStart;
    index[LINE * line + VALUE_END] = valueEnd;
  }

  /** Returns the offset where the value starts; once indexed, like the methods below. */
  public int valueStart(int line) {
    return index[LINE * line + VALUE_START];
  }

  public int valueEnd(int line) {
    return index[LINE * line + VALUE_END];
  }

  /** Returns the name's index in the table, or {@link NameTable#UNKNOWN}. */
  public int nameId(int line) {
    return index[LINE * line + NAME_ID];
  }

  /** Returns one bit for each known name that a line has. */
  public long present() {
    return present;
  }

  /** Returns the first line with a name that is present. */
  public int firstLine(int nameId) {
    return index[nameId];
  }

  private void reserve() {
    if (marked + STRIDE_MARKS > marks.length) {
      moreMarks();
    }
  }
}
