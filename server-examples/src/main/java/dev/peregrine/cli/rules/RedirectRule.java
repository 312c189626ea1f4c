package dev.peregrine.cli.rules;

import dev.peregrine.cli.options.OptionValue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A redirect of the paths that match a pattern. Immutable. */
public final class RedirectRule {
  private static final String FOUND = "302";
  private static final Set<String> STATUSES = Set.of("301", FOUND, "303", "307", "308");

  private final OptionValue source;
  private final PathPattern pattern;
  private final int status;
  private final Target target;
  private final PathPattern shape; // of the target

  private RedirectRule(OptionValue source, PathPattern pattern, int status, Target target) {
    this.source = source;
    this.pattern = pattern;
    this.status = status;
    this.target = target;
    this.shape = target.shape(source);
  }

  static RedirectRule of(OptionValue source) {
    Rule rule = Rule.of(source, "TARGET or PATTERN=STATUS TARGET");
    String[] words = rule.value().split(" +", 2);
    String status = words.length == 1 ? FOUND : words[0];
    if (!STATUSES.contains(status)) {
      throw source.wrong(", but the status before a target is 301, 302, 303, 307 or 308");
    }
    Target target = Target.of(source, words[words.length - 1], rule.pattern());
    return new RedirectRule(source, rule.pattern(), Integer.parseInt(status), target);
  }

  OptionValue source() {
    return source;
  }

  PathPattern pattern() {
    return pattern;
  }

  /** Returns the status of the response. */
  public int status() {
    return status;
  }

  /** Returns true if it leads to a URL, which may be one of this server. */
  boolean leadsToUrl() {
    return !target.isPath();
  }

  /** Returns the host of the URL that it leads to; empty for a path. */
  String host() {
    return target.host();
  }

  /** Returns the scheme of the URL that it leads to; empty for a path. */
  String scheme() {
    return target.scheme();
  }

  /** Returns host and port of the URL that it leads to; empty for a path. */
  String authority() {
    return target.authority();
  }

  /** Returns true if it leads to a URL of that scheme, host and port. */
  boolean isOf(String scheme, String authority) {
    return target.isOf(scheme, authority);
  }

  /** Returns the number of characters of the path that it leads to, beside a star. */
  int targetLength() {
    return shape.fixedLength();
  }

  /**
   * Returns the paths that it redirects some paths to.
   *
   * @param some paths that all match the pattern
   */
  PathPattern from(PathPattern some) {
    return shape.with(pattern, some);
  }

  /**
   * Returns where a request is redirected to; null if it isn't by this rule: the path doesn't
   * match, or the client is where the rule would lead it, so that it would never end.
   *
   * @param plain the path, decoded
   * @param query the query as sent, or null
   * @param scheme http or https
   * @param host host and port that the request is for, or null
   */
  public @Nullable String location(
      String plain, @Nullable String query, String scheme, @Nullable String host) {
    if (!pattern.matches(plain)) {
      return null;
    }
    String path = target.path(pattern.captured(plain));
    if (path == null) {
      return null;
    }
    if (target.isOf(scheme, host)) {
      String reached = PlainPath.of(path);
      if (reached != null && pattern.matches(reached)) {
        return null;
      }
    }
    return target.reference(path, query);
  }
}
