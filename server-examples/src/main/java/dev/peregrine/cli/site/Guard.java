package dev.peregrine.cli.site;

import dev.peregrine.cli.rules.AuthRule;
import dev.peregrine.cli.rules.PlainPath;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Lets requests for paths with users pass only if they are a user's. */
final class Guard implements Handler {
  private final List<AuthRule> rules;
  private final Map<Path, PasswordUsers> users; // by file, so that its limit of attempts is one
  private final Handler site;

  Guard(List<AuthRule> rules, Map<Path, PasswordUsers> users, Handler site) {
    this.rules = rules;
    this.users = users;
    this.site = site;
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    if (!request.path().startsWith("/")) { // OPTIONS * and CONNECT, which name no file
      site.handle(request, response);
      return;
    }
    String path = PlainPath.of(request.path());
    if (path == null) {
      throw new HttpException(HttpStatus.BAD_REQUEST.code(), "the path has no plain spelling");
    }
    for (AuthRule rule : rules) {
      if (rule.isFor(path)) {
        Objects.requireNonNull(users.get(rule.file())).handle(request, response, site);
        return;
      }
    }
    site.handle(request, response);
  }
}
