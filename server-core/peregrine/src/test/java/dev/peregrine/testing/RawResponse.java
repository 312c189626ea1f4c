package dev.peregrine.testing;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A response as it was received. */
public final class RawResponse {
  private final int status;
  private final String reason;
  private final List<Field> fields;
  private final Framing framing;
  private final byte[] content;
  private final int chunks;
  private final List<Field> trailers;

  /** A response without content. */
  RawResponse(int status, String reason, List<Field> fields) {
    this(status, reason, fields, Framing.NONE, new byte[0], 0, List.of());
  }

  private RawResponse(
      int status,
      String reason,
      List<Field> fields,
      Framing framing,
      byte[] content,
      int chunks,
      List<Field> trailers) {
    this.status = status;
    this.reason = reason;
    this.fields = fields;
    this.framing = framing;
    this.content = content;
    this.chunks = chunks;
    this.trailers = trailers;
  }

  /** The response with its content, which came in that number of chunks. */
  RawResponse with(Framing contentFraming, byte[] bytes, int chunkCount, List<Field> trailerLines) {
    return new RawResponse(status, reason, fields, contentFraming, bytes, chunkCount, trailerLines);
  }

  /** A field line. */
  public record Field(String name, String value) {}

  /** The framings of content. */
  public enum Framing {
    /** No content by definition: HEAD, 1xx, 204, 304. */
    NONE,
    LENGTH,
    CHUNKED,
    TO_CLOSE
  }

  public int status() {
    return status;
  }

  public String reason() {
    return reason;
  }

  /** Returns the framing of the content. */
  public Framing framing() {
    return framing;
  }

  /** The content without its framing. */
  public byte[] content() {
    return content;
  }

  /** Number of chunks that the content came in, the last one not counted. */
  public int chunks() {
    return chunks;
  }

  /** The value of the only field of that name; null if there is none. */
  public @Nullable String header(String name) {
    List<String> values = headers(name);
    if (values.size() > 1) {
      throw new AssertionError(name + " came " + values.size() + " times: " + this);
    }
    return values.isEmpty() ? null : values.getFirst();
  }

  public List<String> headers(String name) {
    return fields.stream()
        .filter(field -> field.name.equalsIgnoreCase(name))
        .map(Field::value)
        .toList();
  }

  public List<Field> trailers() {
    return trailers;
  }

  public @Nullable String trailer(String name) {
    return trailers.stream()
        .filter(field -> field.name.equalsIgnoreCase(name))
        .map(Field::value)
        .findFirst()
        .orElse(null);
  }

  /** Returns true if the response has {@code Connection: close}. */
  public boolean saysClose() {
    return "close".equals(header("Connection"));
  }

  public String text() {
    return new String(content, StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    String shown = content.length <= 200 ? text() : content.length + " bytes";
    return status + " " + reason + " " + fields + " " + framing + " \"" + shown + "\"";
  }
}
