package dev.peregrine.http;

import dev.peregrine.base.EncodedFields;
import dev.peregrine.protocol.FieldSyntax;
import dev.peregrine.protocol.HeaderName;

/**
 * A media type as the value of a Content-Type field (RFC 9110 section 8.3), checked and encoded
 * once.
 */
@SuppressWarnings("exports") // the superclass adds nothing that users can see
public final class ContentType extends EncodedFields {
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

  private ContentType(String value) {
    super(HeaderName.CONTENT_TYPE + ": " + value + "\r\n");
    this.value = value;
  }

  /**
   * Returns a media type; keep it in a constant.
   *
   * @throws IllegalArgumentException if the text can't be a field value
   */
  public static ContentType of(String value) {
    if (value.isBlank() || !FieldSyntax.isFieldValue(value)) {
      throw new IllegalArgumentException("the text is not a valid Content-Type");
    }
    return new ContentType(value);
  }

  /** Returns the media type's text. */
  @Override
  public String toString() {
    return value;
  }
}
