package dev.peregrine.http.websocket;

import dev.peregrine.base.Origin;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.protocol.HeaderName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Admits requests by the origin of the page that sends them. Immutable.
 *
 * @param all true if every origin is admitted
 * @param same true if the origin of the request's own target is admitted
 * @param listed other origins that are admitted
 */
record OriginCheck(boolean all, boolean same, Set<Origin> listed) {
  static final OriginCheck NONE = new OriginCheck(true, false, Set.of());

  OriginCheck {
    listed = Set.copyOf(listed);
  }

  OriginCheck withSame() {
    return new OriginCheck(false, true, listed);
  }

  OriginCheck with(String... origins) {
    Set<Origin> more = new HashSet<>(listed);
    for (String text : origins) {
      Origin origin = Origin.parse(text);
      if (origin == null) {
        throw new IllegalArgumentException(
            "not an origin, such as https://example.com or http://localhost:8080: " + text);
      }
      more.add(origin);
    }
    return new OriginCheck(false, same, more);
  }

  /**
   * Rejects a request from a page of another origin.
   *
   * @throws HttpException 403
   */
  void check(Request request) {
    if (!all && !admits(request)) {
      throw new HttpException(
          HttpStatus.FORBIDDEN.code(), "pages of this origin may not open the WebSocket");
    }
  }

  private boolean admits(Request request) {
    List<String> values = request.headers(HeaderName.ORIGIN);
    if (values.isEmpty()) {
      return true; // not a browser
    }
    Origin origin = values.size() == 1 ? Origin.parse(values.getFirst()) : null;
    return origin != null && (listed.contains(origin) || (same && origin.equals(own(request))));
  }

  private static @Nullable Origin own(Request request) {
    String host = request.host();
    return host == null ? null : Origin.of(request.scheme(), host);
  }
}
