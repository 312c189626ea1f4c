package dev.peregrine.http;

import dev.peregrine.http.text.ProblemJson;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The content of an error response, as an {@link ErrorRenderer} returns it. Immutable. */
public final class ErrorContent {
  private static final ContentType PROBLEM_JSON = ContentType.of("application/problem+json");

  private final ContentType type;
  private final byte[] bytes;
  private final PreparedFields headers;

  private ErrorContent(ContentType type, byte[] bytes, PreparedFields headers) {
    this.type = Objects.requireNonNull(type);
    this.bytes = Objects.requireNonNull(bytes);
    this.headers = Objects.requireNonNull(headers);
  }

  /** Creates content from an array, which must not be changed afterwards. */
  public static ErrorContent of(ContentType type, byte[] bytes) {
    return new ErrorContent(type, bytes, PreparedFields.NONE);
  }

  /** Creates content from text, in UTF-8. */
  public static ErrorContent of(ContentType type, String text) {
    return of(type, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes one line of {@code text/plain}: the detail, or the title without one. */
  public static ErrorContent plain(HttpError error) {
    String detail = error.detail();
    return of(ContentType.TEXT_PLAIN_UTF_8, (detail == null ? error.title() : detail) + "\n");
  }

  /**
   * Writes problem details as {@code application/problem+json}, with the members {@code title},
   * {@code status} and, if there is one, {@code detail} (RFC 9457). Needs no {@link JsonCodec}.
   */
  public static ErrorContent problemJson(HttpError error) {
    return of(PROBLEM_JSON, ProblemJson.of(error.title(), error.status(), error.detail()));
  }

  /**
   * Returns the same content with header fields, such as {@code Vary} or {@code Content-Language}.
   * They are added to those of the response.
   */
  public ErrorContent withHeaders(PreparedFields fields) {
    return new ErrorContent(type, bytes, fields);
  }

  /** Returns the media type. */
  public ContentType type() {
    return type;
  }

  /** Returns the array itself, which must not be changed. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the header fields. */
  public PreparedFields headers() {
    return headers;
  }
}
