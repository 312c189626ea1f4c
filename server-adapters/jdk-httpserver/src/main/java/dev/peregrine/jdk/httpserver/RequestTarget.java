package dev.peregrine.jdk.httpserver;

import dev.peregrine.http.HttpException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** A request target, and its URI once that is needed. Used by one thread at a time. */
final class RequestTarget {
  private static final int BAD_REQUEST = 400;

  /** The characters of a path and query that {@link URI} takes as they are. */
  private static final BitSet PLAIN = new BitSet();

  static {
    "/-_.~!$&'()*+,;=:@?".chars().forEach(PLAIN::set);
    PLAIN.set('0', '9' + 1);
    PLAIN.set('A', 'Z' + 1);
    PLAIN.set('a', 'z' + 1);
  }

  private final String text;
  private final @Nullable String path;
  private @Nullable URI uri;

  private RequestTarget(String text, @Nullable String path, @Nullable URI uri) {
    this.text = text;
    this.path = path;
    this.uri = uri;
  }

  /**
   * Reads a target. An ordinary one isn't parsed.
   *
   * @throws HttpException 400 if it isn't a URI
   */
  static RequestTarget of(String text) {
    if (!text.startsWith("/") || text.startsWith("//") || !isPlain(text)) {
      URI parsed = parse(text);
      return new RequestTarget(text, parsed.getPath(), parsed);
    }
    int query = text.indexOf('?');
    return new RequestTarget(text, query < 0 ? text : text.substring(0, query), null);
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!PLAIN.get(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static URI parse(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException notOne) {
      throw new HttpException(BAD_REQUEST, "the request target is not a URI");
    }
  }

  /** Returns the decoded path; null if the target has none, as that of a CONNECT request. */
  @Nullable String path() {
    return path;
  }

  URI uri() {
    URI known = uri;
    if (known == null) {
      known = parse(text);
      uri = known;
    }
    return known;
  }
}
