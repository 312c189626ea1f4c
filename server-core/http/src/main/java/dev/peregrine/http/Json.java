package dev.peregrine.http;

import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.ListSyntax;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks and errors of JSON that are the same for every codec. */
final class Json {
  private Json() {}

  /**
   * Requires a JSON content type. A cross-site form can't send one, so this also guards against
   * CSRF.
   *
   * @throws HttpException 415 if it doesn't
   */
  static void require(Request request) {
    String value = request.header(KnownHeader.CONTENT_TYPE);
    List<String> parts = value == null ? List.of() : ListSyntax.split(value, ';');
    String type = parts.isEmpty() ? "" : parts.getFirst().toLowerCase(Locale.ROOT);
    if (!type.equals("application/json") && !type.endsWith("+json")) {
      throw new HttpException(
          HttpStatus.UNSUPPORTED_MEDIA_TYPE.code(), "the content must be application/json");
    }
  }

  /**
   * Reads a value. The codec's message about malformed JSON is only logged, because it names
   * classes.
   *
   * @throws HttpException 400 if the codec can't read it, or if it is {@code null}
   */
  static <T> T read(JsonCodec codec, byte[] content, Class<T> type) {
    T value;
    try {
      value = codec.read(content, type);
    } catch (IOException wrong) {
      throw unexpected(wrong);
    } catch (StackOverflowError tooDeep) { // codecs recurse into nested values
      throw tooDeep();
    }
    return notNull(value);
  }

  /**
   * Reads a value while it arrives; otherwise like {@link #read(JsonCodec, byte[], Class)}.
   *
   * @throws IOException if the client goes away or breaks the framing
   * @throws HttpException 413 for more bytes as well
   */
  static <T> T read(JsonCodec codec, RequestBody body, int bytesMax, Class<T> type)
      throws IOException {
    if (body.length() > bytesMax) {
      throw WholeContent.tooLarge(bytesMax);
    }
    try (ArrivingJson content = new ArrivingJson(body.inputStream(), bytesMax)) {
      T value;
      try {
        value = codec.read(content, type);
      } catch (IOException wrong) {
        content.throwFailure();
        throw unexpected(wrong);
      } catch (RuntimeException thrown) {
        content.throwFailure();
        throw thrown;
      } catch (StackOverflowError tooDeep) {
        throw tooDeep();
      }
      content.throwFailure();
      return notNull(value);
    }
  }

  private static HttpException unexpected(IOException wrong) {
    return invalid("the content is not the expected JSON", wrong);
  }

  private static HttpException tooDeep() {
    return invalid("the JSON is nested too deeply", null);
  }

  private static <T> T notNull(@Nullable T value) {
    if (value == null) {
      throw invalid("the JSON is null", null);
    }
    return value;
  }

  private static HttpException invalid(String what, @Nullable Throwable cause) {
    return new HttpException(HttpStatus.BAD_REQUEST.code(), what, cause);
  }
}
