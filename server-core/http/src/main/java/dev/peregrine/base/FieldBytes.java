package dev.peregrine.base;

/** The bytes of {@link EncodedFields}, as HTTP/1 sends them: each line with its CRLF. */
public final class FieldBytes {
  private FieldBytes() {}

  /** Returns the length of the lines in bytes. */
  public static int length(EncodedFields fields) {
    return fields.lines.length;
  }

  /** Copies the lines. */
  public static void copy(EncodedFields fields, byte[] target, int at) {
    System.arraycopy(fields.lines, 0, target, at, fields.lines.length);
  }
}
