package dev.peregrine.cli.rules;

import dev.peregrine.cli.options.OptionValue;
import org.jspecify.annotations.Nullable;

/** Another path that stands for those that match a pattern. Immutable. */
public final class RewriteRule {
  private final PathPattern pattern;
  private final Target target;

  private RewriteRule(PathPattern pattern, Target target) {
    this.pattern = pattern;
    this.target = target;
  }

  static RewriteRule of(OptionValue source) {
    Rule rule = Rule.of(source, "PATH");
    Target target = Target.of(source, rule.value(), rule.pattern());
    if (!target.isPath() || target.hasQuery()) {
      throw source.mustBe("PATTERN=/path, a path of the same site without a query");
    }
    return new RewriteRule(rule.pattern(), target);
  }

  PathPattern pattern() {
    return pattern;
  }

  /**
   * Returns the path that is served, as a request would have it; null if the rule isn't for a path.
   *
   * @param plain the path, decoded
   */
  public @Nullable String path(String plain) {
    return pattern.matches(plain) ? target.path(pattern.captured(plain)) : null;
  }
}
