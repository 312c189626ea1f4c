package dev.peregrine.http.filter;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.KnownHeader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The credentials of a request, and the challenge of a response without (RFC 9110 section 11). */
final class Authorization {
  private Authorization() {}

  /**
   * Returns the challenge of a scheme. Nothing in it comes from a request.
   *
   * @throws IllegalArgumentException if the realm can't stand in quotes as it is
   */
  static String challenge(String scheme, String realm) {
    for (int i = 0; i < realm.length(); i++) {
      char c = realm.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        throw new IllegalArgumentException(
            "realm must be visible ASCII characters and spaces, without quotes and backslashes");
      }
    }
    return scheme + " realm=\"" + realm + "\"";
  }

  /**
   * Returns the text after the scheme, which isn't checked.
   *
   * @return null if the request has no credentials of that scheme; empty if it has more than one
   *     field, or longer ones
   */
  static @Nullable String credentials(Request request, String scheme, int charactersMax) {
    if (!request.hasHeader(KnownHeader.AUTHORIZATION)) {
      return null;
    }
    List<String> values = request.headers(HeaderName.AUTHORIZATION);
    String value = values.getFirst();
    int end = scheme.length();
    boolean ofScheme =
        value.regionMatches(true, 0, scheme, 0, end)
            && (value.length() == end || value.charAt(end) == ' ');
    if (!ofScheme) {
      return null;
    }
    String credentials = value.substring(end).strip();
    return values.size() > 1 || credentials.length() > charactersMax ? "" : credentials;
  }

  static HttpException unauthorized(String message, String challenge) {
    return rejection(HttpStatus.UNAUTHORIZED, message, challenge);
  }

  static HttpException rejection(HttpStatus status, String message, String challenge) {
    return new HttpException(status.code(), message).header(HeaderName.WWW_AUTHENTICATE, challenge);
  }
}
