package dev.peregrine.cli.rules;

import dev.peregrine.cli.options.Option;
import dev.peregrine.cli.options.OptionValue;
import dev.peregrine.cli.options.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a site, each list in the order in which they were given. Immutable.
 *
 * @param headers changes of response headers
 * @param redirects redirects
 * @param auth paths with users
 * @param rewrites other paths for files
 * @param cache values of Cache-Control
 */
public record SiteRules(
    List<HeaderRule> headers,
    List<RedirectRule> redirects,
    List<AuthRule> auth,
    List<RewriteRule> rewrites,
    List<CacheRule> cache) {

  /**
   * Reads the rules of all sites.
   *
   * @param sites the hosts that have a directory of their own
   * @param servesOthers whether there is a directory for all other hosts
   * @throws IllegalArgumentException if a rule has a wrong form, or names another host
   */
  public static SiteRules of(Settings settings, Set<String> sites, boolean servesOthers) {
    Set<String> hosts =
        sites.stream().map(host -> host.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    SiteRules rules =
        new SiteRules(
            read(settings, Option.HEADER, HeaderRule::of, HeaderRule::pattern, hosts),
            read(settings, Option.REDIRECT, RedirectRule::of, RedirectRule::pattern, hosts),
            read(settings, Option.AUTH, AuthRule::of, AuthRule::pattern, hosts),
            read(settings, Option.REWRITE, RewriteRule::of, RewriteRule::pattern, hosts),
            read(settings, Option.CACHE, CacheRule::of, CacheRule::pattern, hosts));
    RedirectLoops.check(
        new SiteHosts(rules.redirects, hosts, servesOthers, settings.httpsRedirect()));
    return rules;
  }

  private static <R> List<R> read(
      Settings settings,
      Option option,
      Function<OptionValue, R> reader,
      Function<R, PathPattern> pattern,
      Set<String> hosts) {
    List<R> rules = new ArrayList<>();
    for (OptionValue source : settings.all(option)) {
      R rule = reader.apply(source);
      String host = pattern.apply(rule).host();
      if (host != null && !hosts.contains(host)) {
        throw source.wrong(", but no --site serves the host " + host);
      }
      rules.add(rule);
    }
    return List.copyOf(rules);
  }

  /**
   * Returns the rules without a host, and those for one.
   *
   * @param host the host as its directory was given for; null for all other hosts
   */
  public SiteRules of(@Nullable String host) {
    return new SiteRules(
        only(headers, HeaderRule::pattern, host),
        only(redirects, RedirectRule::pattern, host),
        only(auth, AuthRule::pattern, host),
        only(rewrites, RewriteRule::pattern, host),
        only(cache, CacheRule::pattern, host));
  }

  private static <R> List<R> only(
      List<R> rules, Function<R, PathPattern> pattern, @Nullable String host) {
    return rules.stream()
        .filter(
            rule -> {
              String named = pattern.apply(rule).host();
              return named == null || named.equalsIgnoreCase(host);
            })
        .toList();
  }

  /** Returns true if the site has no rules. */
  public boolean isEmpty() {
    return headers.isEmpty()
        && redirects.isEmpty()
        && auth.isEmpty()
        && rewrites.isEmpty()
        && cache.isEmpty();
  }
}
