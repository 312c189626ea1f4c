package dev.peregrine.http;

import dev.peregrine.protocol.FieldSyntax;
import java.nio.charset.StandardCharsets;

/**
 * A media type as the value of a Content-Type field (RFC 9110 section 8.3), checked and encoded
 * once.
 */
public final class ContentType {
  /** {@code text/plain} without a charset. */
  public static final ContentType TEXT_PLAIN = of("text/plain");

  /** {@code text/plain; charset=utf-8}. */
  public static final ContentType TEXT_PLAIN_UTF_8 = of("text/plain; charset=utf-8");

  /** {@code text/html; charset=utf-8}. */
  public static final ContentType TEXT_HTML_UTF_8 = of("text/html; charset=utf-8");

  /** {@code application/json}. */
  public static final ContentType APPLICATION_JSON = of("application/json");

  /** {@code application/octet-stream}. */
  public static final ContentType APPLICATION_OCTET_STREAM = of("application/octet-stream");

  private final String value;
  private final byte[] fieldLine;

  private ContentType(String value) {
    this.value = value;
    this.fieldLine = ("Content-Type: " + value + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * A media type; keep it in a constant.
   *
   * @throws IllegalArgumentException if the text can't be a field value
   */
  public static ContentType of(String value) {
    if (value.isBlank() || !FieldSyntax.isFieldValue(value)) {
      throw new IllegalArgumentException("the text is no value that Content-Type can have");
    }
    return new ContentType(value);
  }

  /** Length of the field line with its CRLF, in bytes. */
  public int fieldLineBytes() {
    return fieldLine.length;
  }

  /** Copies the field line with its CRLF, as it goes on the wire. */
  public void copyFieldLine(byte[] target, int at) {
    System.arraycopy(fieldLine, 0, target, at, fieldLine.length);
  }

  /** The media type's text. */
  @Override
  public String toString() {
    return value;
  }
}
