package dev.peregrine.cli.site;

import dev.peregrine.cli.rules.PlainPath;
import dev.peregrine.cli.rules.RewriteRule;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.util.List;

/** Serves the file of another path; the first rule that is for a path counts, and only that. */
final class RewriteRules implements Handler {
  private final List<RewriteRule> rules;
  private final Handler site;

  RewriteRules(List<RewriteRule> rules, Handler site) {
    this.rules = rules;
    this.site = site;
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    String path = PlainPath.of(request.path());
    if (path != null) {
      for (RewriteRule rule : rules) {
        String other = rule.path(path);
        if (other != null) {
          site.handle(new AtPath(request, other), response);
          return;
        }
      }
    }
    site.handle(request, response);
  }
}
