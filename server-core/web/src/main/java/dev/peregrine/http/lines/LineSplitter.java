package dev.peregrine.http.lines;

import dev.peregrine.base.Range;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.arriving.PacedContent;
import dev.peregrine.parser.body.ByteSearch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Divides content into lines where it lies. Copies only the beginning of a line whose end hasn't
 * arrived, up to the bound of a line.
 */
final class LineSplitter implements PacedContent.Divider {
  /** The largest bound, so that an array holds a line with its end. */
  static final int LINE_BYTES_MAX = 1 << 30;

  private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);
  private static final int HELD_BYTES_MIN = 256;
  private static final byte CR = '\r';

  private final LineEnd end;
  private final int lineBytesMax;
  private MemorySegment input = NOTHING;
  private long at; // of the input
  private long to;
  private byte[] held = new byte[0]; // the beginning of a line
  private MemorySegment heldMemory = NOTHING;
  private int heldBytes;
  private MemorySegment line = NOTHING;
  private long lineFrom;
  private long lineTo;

  LineSplitter(int lineBytesMax, LineEnd end) {
    Range.check("lineBytesMax", lineBytesMax, 1, LINE_BYTES_MAX);
    this.lineBytesMax = lineBytesMax;
    this.end = end;
  }

  /** Takes the next bytes, which must stay as they are until {@link #next} returns false. */
  @Override
  public void input(MemorySegment bytes, long from, long until) {
    input = bytes;
    at = from;
    to = until;
  }

  /** Returns true if bytes wait that were not looked at. */
  @Override
  public boolean hasInput() {
    return at < to;
  }

  /** Copies these bytes, because their memory ends. */
  @Override
  public void keepInput() {
    byte[] rest = input.asSlice(at, to - at).toArray(ValueLayout.JAVA_BYTE);
    input(MemorySegment.ofArray(rest), 0, rest.length);
  }

  /**
   * Moves on to the next line. Returns false if it needs more input: the line before is then gone.
   *
   * @throws HttpException 413 if it is too long
   */
  boolean next() {
    long last = findEnd();
    if (last < 0) {
      hold(to, end.incompleteMax());
      input(NOTHING, 0, 0);
      return false;
    }
    long after = last + 1;
    if (heldBytes == 0) {
      line(input, at, after - end.length());
    } else {
      hold(after, end.incompleteMax() + 1);
      line(heldMemory, 0, heldBytes - end.length());
      heldBytes = 0;
    }
    at = after;
    if (end.takesCr() && lineTo > lineFrom && byteAt(line, lineTo - 1) == CR) {
      lineTo--;
    }
    checkLength(lineTo - lineFrom);
    return true;
  }

  /** Moves on to a last line without an end, after all input. Returns false if there is none. */
  boolean last() {
    if (heldBytes == 0) {
      return false;
    }
    line(heldMemory, 0, heldBytes);
    heldBytes = 0;
    checkLength(lineTo);
    return true;
  }

  /** Drops what waits. */
  void drop() {
    input(NOTHING, 0, 0);
    heldBytes = 0;
  }

  /** Returns the memory of the present line, valid until the next call. */
  MemorySegment line() {
    return line;
  }

  long lineFrom() {
    return lineFrom;
  }

  long lineTo() {
    return lineTo;
  }

  private void line(MemorySegment memory, long from, long until) {
    line = memory;
    lineFrom = from;
    lineTo = until;
  }

  /** Returns the index of the last byte of the next end; -1 if there is none. */
  private long findEnd() {
    long from = at;
    while (from < to) {
      long found = ByteSearch.indexOf(end.last(), input, from, to);
      if (found < to && isEnd(found)) {
        return found;
      }
      from = found + 1;
    }
    return -1;
  }

  /** Compares the bytes before the last one, of which some may have arrived earlier. */
  private boolean isEnd(long last) {
    long first = last - (end.length() - 1);
    if (first < at - heldBytes) {
      return false;
    }
    for (int i = 0; i < end.length() - 1; i++) {
      long index = first + i;
      byte b = index >= at ? byteAt(input, index) : held[heldBytes - (int) (at - index)];
      if (b != end.at(i)) {
        return false;
      }
    }
    return true;
  }

  private static byte byteAt(MemorySegment memory, long index) {
    return memory.get(ValueLayout.JAVA_BYTE, index);
  }

  /**
   * Copies the input before an index to the beginning of the line.
   *
   * @param endBytes the most of these bytes that belong to the end
   */
  private void hold(long before, int endBytes) {
    long total = heldBytes + (before - at);
    checkLength(total - endBytes);
    int bytes = (int) (before - at);
    if (total > held.length) {
      long larger = Math.max(Math.max(2L * held.length, total), HELD_BYTES_MIN);
      held = Arrays.copyOf(held, (int) Math.min(larger, LINE_BYTES_MAX + 2L * HELD_BYTES_MIN));
      heldMemory = MemorySegment.ofArray(held);
    }
    MemorySegment.copy(input, ValueLayout.JAVA_BYTE, at, held, heldBytes, bytes);
    heldBytes += bytes;
    at = before;
  }

  private void checkLength(long bytes) {
    if (bytes > lineBytesMax) {
      throw new HttpException(
          HttpStatus.CONTENT_TOO_LARGE.code(), "a line of more than " + lineBytesMax + " bytes");
    }
  }
}
