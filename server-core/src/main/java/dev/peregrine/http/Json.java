package dev.peregrine.http;

import dev.peregrine.parser.KnownHeader;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** What of JSON is the same for every codec. */
final class Json {
  private Json() {}

  /**
   * Sees to it that the content says that it is JSON, which a form of another site can't.
   *
   * @throws HttpException 415 if it doesn't
   */
  static void require(HttpRequest request) {
    String value = request.header(KnownHeader.CONTENT_TYPE);
    List<String> parts = value == null ? List.of() : ListSyntax.split(value, ';');
    String type = parts.isEmpty() ? "" : parts.getFirst().toLowerCase(Locale.ROOT);
    if (!type.equals("application/json") && !type.endsWith("+json")) {
      throw new HttpException(
          HttpStatus.UNSUPPORTED_MEDIA_TYPE.code(), "the content has to be application/json");
    }
  }

  static <T> T read(JsonCodec codec, byte[] content, Class<T> type) {
    try {
      return codec.read(content, type);
    } catch (IOException wrong) {
      throw new HttpException(
          HttpStatus.BAD_REQUEST.code(), "the JSON is not as expected: " + wrong.getMessage());
    } catch (StackOverflowError tooDeep) { // codecs call themselves for what lies within
      throw new HttpException(HttpStatus.BAD_REQUEST.code(), "the JSON is nested too deeply");
    }
  }
}
