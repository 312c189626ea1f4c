package dev.peregrine.http.lines;

import dev.peregrine.base.Range;
import java.nio.charset.StandardCharsets;

/**
 * The bytes that end a line, or any other piece of content. Immutable.
 *
 * <pre>{@code
 * LineEnd blankLine = LineEnd.of("\n\n");
 * }</pre>
 */
public final class LineEnd {
  private static final int BYTES_MAX = 64;

  /** LF, or CR and LF: the lines of text files, logs and NDJSON. */
  public static final LineEnd LF = new LineEnd(new byte[] {'\n'}, true);

  private final byte[] bytes;
  private final boolean takesCr;

  private LineEnd(byte[] bytes, boolean takesCr) {
    this.bytes = bytes;
    this.takesCr = takesCr;
  }

  /**
   * Returns the end of pieces that end with these bytes, which don't belong to the piece.
   *
   * @throws IllegalArgumentException unless there are 1 to 64
   */
  public static LineEnd of(byte[] bytes) {
    Range.check("the length of a line's end", bytes.length, 1, BYTES_MAX);
    return new LineEnd(bytes.clone(), false);
  }

  /** Like {@link #of(byte[])}, with the UTF-8 of a text. */
  public static LineEnd of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the number of bytes, without a CR that may precede them. */
  int length() {
    return bytes.length;
  }

  byte at(int index) {
    return bytes[index];
  }

  byte last() {
    return bytes[bytes.length - 1];
  }

  /** Returns true if a CR before it belongs to it. */
  boolean takesCr() {
    return takesCr;
  }

  /** Returns the most bytes after a line that may belong to an end which isn't complete. */
  int incompleteMax() {
    return takesCr ? 1 : bytes.length - 1;
  }
}
