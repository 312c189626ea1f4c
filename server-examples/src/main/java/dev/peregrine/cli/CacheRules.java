package dev.peregrine.cli;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HeaderName;
import java.util.Map;

/**
 * Sets Cache-Control by the path, as sent. Error responses that the server writes don't have it.
 */
final class CacheRules implements Handler {
  private final Map<String, String> values; // by pattern, in the order that counts
  private final Handler site;

  CacheRules(Map<String, String> values, Handler site) {
    this.values = values;
    this.site = site;
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    String path = request.path();
    for (Map.Entry<String, String> rule : values.entrySet()) {
      if (matches(rule.getKey(), path)) {
        response.header(HeaderName.CACHE_CONTROL, rule.getValue());
        break;
      }
    }
    site.handle(request, response);
  }

  private static boolean matches(String pattern, String path) {
    if (pattern.startsWith("*")) {
      return path.endsWith(pattern.substring(1));
    }
    return pattern.endsWith("*")
        ? path.startsWith(pattern.substring(0, pattern.length() - 1))
        : path.equals(pattern);
  }
}
