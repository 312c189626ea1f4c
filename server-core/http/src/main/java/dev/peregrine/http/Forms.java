package dev.peregrine.http;

import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.ListSyntax;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks of the content type of forms. */
final class Forms {
  private static final String URLENCODED = "application/x-www-form-urlencoded";

  private Forms() {}

  /**
   * Requires the content type of a form.
   *
   * @throws HttpException 415 if it isn't, or in another charset than UTF-8
   */
  static void require(Request request) {
    @Nullable String type = request.header(KnownHeader.CONTENT_TYPE);
    List<String> parts = type == null ? List.of() : ListSyntax.split(type, ';');
    boolean fits = !parts.isEmpty() && parts.getFirst().equalsIgnoreCase(URLENCODED);
    for (String part : parts) {
      fits &= !part.regionMatches(true, 0, "charset=", 0, 8) || isUtf8(part.substring(8));
    }
    if (!fits) {
      throw new HttpException(
          HttpStatus.UNSUPPORTED_MEDIA_TYPE.code(), "the content must be " + URLENCODED);
    }
  }

  private static boolean isUtf8(String charset) {
    return charset.equalsIgnoreCase("utf-8") || charset.equalsIgnoreCase("\"utf-8\"");
  }
}
