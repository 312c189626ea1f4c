package dev.peregrine.parser.field;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.scan.Scanner;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Finds and checks the field lines of a header or trailer section that arrives in any pieces (RFC
 * 9112 section 5). Every byte is examined once, for every division into pieces.
 *
 * <pre>
 *            ┌───────────── LF ─────────────┐
 *            ▼                              │
 *  LINE_START ── token ──▶ NAME ── ':' ──▶ VALUE ── CR ──▶ LINE_FEED
 *      └── CR ──▶ LAST_LINE_FEED ── LF ──▶ (complete)
 * </pre>
 *
 * <p>Technique {@code header-section} of docs/TECHNIQUES.md, measured by {@code
 * HeaderSectionBenchmark}.
 */
public final class FieldSection {
  /** Returned by {@link #advance} if it needs more bytes. */
  public static final int NEED_MORE = 0;

  /** Returned by {@link #advance} if it has found a {@link #fault}. */
  public static final int FAULTY = -1;

  // States are ints: a reference store into a tenured object costs a GC write barrier.
  private static final int LINE_START = 0;
  private static final int NAME = 1;
  private static final int VALUE = 2;
  private static final int LINE_FEED = 3;
  private static final int LAST_LINE_FEED = 4;

  private final FieldLines lines = new FieldLines();
  private int state = LINE_START;
  private int at;
  private int bytesEnd;
  private int linesMax;
  private @Nullable Rejection fault;

  public FieldLines lines() {
    return lines;
  }

  /** The result of the last scan in strides. */
  public FieldBits bits() {
    return lines.bits();
  }

  /** Returns the fault, in the words for a header section; after {@link #FAULTY}. */
  public @Nullable Rejection fault() {
    return fault;
  }

  /**
   * Returns the offset that the scan has reached; after a fault, the offset of the offending byte.
   */
  public int at() {
    return at;
  }

  /** Starts a section whose first line is at offset {@code start}. */
  public void begin(int start, int bytesMax, int linesMax) {
    lines.begin(start, linesMax);
    state = LINE_START;
    at = start;
    bytesEnd = start + bytesMax;
    this.linesMax = linesMax;
    if (fault != null) {
      fault = null;
    }
  }

  /**
   * Starts a section and takes as many lines as are whole and valid. If it is complete, the lines'
   * places are deferred.
   *
   * @param lastStride the last index at which a stride can be loaded
   * @param start the offset of the section's first line
   * @return the offset after the section's empty line if it was reached, otherwise {@link
   *     #NEED_MORE}: then {@link #advance} continues
   */
  public int takeAll(
      StrideScanner scanner,
      MemorySegment bytes,
      long base,
      long to,
      long lastStride,
      int start,
      int bytesMax,
      int linesMax) {
    long limit = Math.min(to, base + start + bytesMax);
    long end = scanner.sectionEnd(bytes, base, base + start - 2, limit, lastStride, bits());
    if (end <= limit && lines.deferMarks(linesMax)) {
      at = (int) (end - base);
      return at;
    }
    begin(start, bytesMax, linesMax);
    at = lines.takeWhole(bytes, base, limit);
    return NEED_MORE;
  }

  /**
   * Takes as many lines of a section that has begun as are whole and common, by words in native
   * memory.
   *
   * @param segmentEnd the address after the last byte that may be loaded
   * @return the offset after the section's empty line if it was reached, otherwise {@link
   *     #NEED_MORE}: then {@link #advance} continues
   */
  public int takeByWords(long base, long to, long segmentEnd) {
    long limit = Math.min(to, base + bytesEnd);
    lines.bits().begin(base, 0);
    return isComplete(WordLines.scan(lines, base, base + at, limit, segmentEnd)) ? at : NEED_MORE;
  }

  /**
   * Continues with the bytes whose offset 0 is at {@code base} and whose end is {@code to}.
   *
   * @param wholeLinesTaken whether all whole lines among them were taken by {@link #takeAll}
   * @return the offset after the section's empty line, {@link #NEED_MORE} or {@link #FAULTY}
   */
  public int advance(
      Scanner scanner, MemorySegment bytes, long base, long to, boolean wholeLinesTaken) {
    int end = (int) (to - base);
    while (at < end) {
      boolean goesOn =
          switch (state) {
            case LINE_START -> onLineStart(scanner, bytes, base, end, wholeLinesTaken);
            case NAME -> onName(scanner, bytes, base, end);
            case VALUE -> onValue(scanner, bytes, base, end);
            case LINE_FEED -> onLineFeed(bytes, base);
            default -> onLastLineFeed(bytes, base);
          };
      if (!goesOn) {
        return fault == null ? at : FAULTY;
      }
    }
    return NEED_MORE;
  }

  private boolean onLineStart(
      Scanner scanner, MemorySegment bytes, long base, int end, boolean wholeLinesTaken) {
    if (at < bytesEnd && !wholeLinesTaken) {
      long limit = base + Math.min(end, bytesEnd);
      if (isComplete(FastLines.add(scanner, bytes, base, base + at, limit, lines))) {
        return false;
      }
      if (at == end) {
        return true;
      }
    }
    byte first = Memory.byteAt(bytes, base + at);
    if (first == Ascii.CR) {
      state = LAST_LINE_FEED;
      at++;
      return true;
    }
    if (at >= bytesEnd) {
      return fail(Rejection.HEADER_SECTION_TOO_LARGE);
    }
    if (lines.count() == linesMax) {
      return fail(Rejection.TOO_MANY_FIELDS);
    }
    if (Ascii.isBlank(first)) {
      return fail(
          lines.count() == 0 ? Rejection.FIELD_SPACE_BEFORE_FIRST : Rejection.FIELD_LINE_FOLDED);
    }
    if (first == Ascii.COLON) {
      return fail(Rejection.FIELD_NAME_EMPTY);
    }
    state = NAME;
    return true;
  }

  /** Records the end of the whole lines. Returns true if that is the end of the section. */
  private boolean isComplete(int wholeLines) {
    boolean complete = wholeLines >= 0;
    at = complete ? wholeLines : ~wholeLines;
    return complete;
  }

  private boolean onName(Scanner scanner, MemorySegment bytes, long base, int end) {
    int limit = Math.min(end, bytesEnd);
    at = (int) (scanner.tokenEnd(bytes, base + at, base + limit) - base);
    if (at == limit) {
      return at == end || fail(Rejection.HEADER_SECTION_TOO_LARGE);
    }
    byte next = Memory.byteAt(bytes, base + at);
    if (next != Ascii.COLON) {
      return fail(
          switch (next) {
            case Ascii.SP, Ascii.HTAB -> Rejection.FIELD_SPACE_BEFORE_COLON;
            case Ascii.CR, Ascii.LF -> Rejection.FIELD_COLON_MISSING;
            default -> Rejection.FIELD_NAME_INVALID;
          });
    }
    lines.addColon(at++);
    state = VALUE;
    return true;
  }

  private boolean onValue(Scanner scanner, MemorySegment bytes, long base, int end) {
    int limit = Math.min(end, bytesEnd);
    at = (int) (scanner.fieldValueEnd(bytes, base + at, base + limit) - base);
    if (at == limit) {
      return at == end || fail(Rejection.HEADER_SECTION_TOO_LARGE);
    }
    byte next = Memory.byteAt(bytes, base + at);
    if (next != Ascii.CR) {
      return fail(next == Ascii.LF ? Rejection.BARE_LINE_FEED : Rejection.FIELD_VALUE_INVALID);
    }
    at++;
    state = LINE_FEED;
    return true;
  }

  private boolean onLineFeed(MemorySegment bytes, long base) {
    if (at >= bytesEnd) {
      return fail(Rejection.HEADER_SECTION_TOO_LARGE);
    }
    if (Memory.byteAt(bytes, base + at) != Ascii.LF) {
      return fail(Rejection.BARE_CARRIAGE_RETURN);
    }
    lines.addCarriageReturn(at - 1);
    at++;
    state = LINE_START;
    return true;
  }

  private boolean onLastLineFeed(MemorySegment bytes, long base) {
    if (Memory.byteAt(bytes, base + at) != Ascii.LF) {
      return fail(Rejection.BARE_CARRIAGE_RETURN);
    }
    at++;
    return false;
  }

  private boolean fail(Rejection found) {
    fault = found;
    return false;
  }
}
