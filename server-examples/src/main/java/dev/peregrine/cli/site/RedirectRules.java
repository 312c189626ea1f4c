package dev.peregrine.cli.site;

import dev.peregrine.cli.rules.PlainPath;
import dev.peregrine.cli.rules.RedirectRule;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HeaderName;
import java.util.List;

/** Redirects requests by the path; the first rule that is for a request counts. */
final class RedirectRules implements Handler {
  private final List<RedirectRule> rules;
  private final Handler site;

  RedirectRules(List<RedirectRule> rules, Handler site) {
    this.rules = rules;
    this.site = site;
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    String path = PlainPath.of(request.path());
    if (path != null) {
      String scheme = request.isSecure() ? "https" : "http";
      for (RedirectRule rule : rules) {
        String location = rule.location(path, request.query(), scheme, request.host());
        if (location != null) {
          response
              .status(rule.status())
              .header(HeaderName.LOCATION, location)
              .text("It is elsewhere.\n");
          return;
        }
      }
    }
    site.handle(request, response);
  }
}
