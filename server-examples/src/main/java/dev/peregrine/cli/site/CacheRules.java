package dev.peregrine.cli.site;

import dev.peregrine.cli.rules.CacheRule;
import dev.peregrine.cli.rules.PlainPath;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HeaderName;
import java.util.List;

/**
 * Sets Cache-Control by the path; of a response to a user only so that no other client gets it.
 * Error responses that the server writes don't have it.
 */
final class CacheRules implements Handler {
  private final List<CacheRule> rules; // in the order that counts
  private final Handler site;

  CacheRules(List<CacheRule> rules, Handler site) {
    this.rules = rules;
    this.site = site;
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    if (request.attribute(PasswordUsers.USER) != null) {
      response.header(HeaderName.CACHE_CONTROL, "private, no-cache");
      site.handle(request, response);
      return;
    }
    String path = PlainPath.of(request.path());
    if (path != null) {
      for (CacheRule rule : rules) {
        if (rule.pattern().matches(path)) {
          response.header(HeaderName.CACHE_CONTROL, rule.value());
          break;
        }
      }
    }
    site.handle(request, response);
  }
}
