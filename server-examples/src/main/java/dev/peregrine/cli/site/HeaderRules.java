package dev.peregrine.cli.site;

import dev.peregrine.cli.rules.HeaderRule;
import dev.peregrine.cli.rules.HeaderRule.Change;
import dev.peregrine.cli.rules.PlainPath;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes the header fields of responses by the path, those of errors too. All rules that match
 * count, in their order.
 */
final class HeaderRules implements Handler {
  private final List<HeaderRule> rules;
  private final Handler site;

  HeaderRules(List<HeaderRule> rules, Handler site) {
    this.rules = rules;
    this.site = site;
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    String path = PlainPath.of(request.path());
    List<HeaderRule> found = // 400 has those of all paths
        matching(path == null ? "/" : path, request.isSecure());
    if (found.isEmpty()) {
      site.handle(request, response);
      return;
    }
    response.beforeCommit(() -> add(found, response));
    boolean removes = found.stream().anyMatch(rule -> rule.change() == Change.REMOVE);
    site.handle(
        request, removes ? new WithoutFields(response, name -> removes(found, name)) : response);
  }

  private List<HeaderRule> matching(String path, boolean secure) {
    List<HeaderRule> found = new ArrayList<>();
    for (HeaderRule rule : rules) {
      if ((secure || !rule.isForTlsOnly()) && rule.pattern().matches(path)) {
        found.add(rule);
      }
    }
    return found;
  }

  private static void add(List<HeaderRule> found, Response response) {
    for (HeaderRule rule : found) {
      switch (rule.change()) {
        case SET -> response.header(rule.name(), rule.value());
        case ADD -> response.addHeader(rule.name(), rule.value());
        case REMOVE -> {} // was never added
      }
    }
  }

  private static boolean removes(List<HeaderRule> found, String name) {
    for (HeaderRule rule : found) {
      if (rule.change() == Change.REMOVE && rule.name().equalsIgnoreCase(name)) {
        return true;
      }
    }
    return false;
  }
}
