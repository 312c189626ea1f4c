package dev.peregrine.cli.rules;

import dev.peregrine.http.host.HostMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which redirects each host has. */
final class SiteHosts {
  /** The site of hosts that have none of their own. */
  private static final String OTHERS = "";

  private final List<RedirectRule> all;
  private final HostMap<String> sites;
  private final boolean servesOthers;
  private final int httpsPort;
  private final Map<String, List<RedirectRule>> rules = new HashMap<>();

  /**
   * Creates hosts.
   *
   * @param names the hosts that have a directory of their own, in lower case
   * @param servesOthers whether other hosts are served
   * @param httpsPort the port of HTTPS that other requests are redirected to; 0 for none
   */
  SiteHosts(List<RedirectRule> all, Set<String> names, boolean servesOthers, int httpsPort) {
    this.all = all;
    Map<String, String> named = new HashMap<>();
    names.forEach(name -> named.put(name, name));
    this.sites = HostMap.of(named);
    this.servesOthers = servesOthers;
    this.httpsPort = httpsPort;
  }

  /** Returns all redirects. */
  List<RedirectRule> all() {
    return all;
  }

  /** Returns the port of HTTPS that other requests are redirected to; 0 for none. */
  int httpsPort() {
    return httpsPort;
  }

  /** Returns the site that serves a host; null if none does. */
  @Nullable String siteOf(String host) {
    String site = sites.get(host);
    return site == null && servesOthers ? OTHERS : site;
  }

  /** Returns the sites that have redirects of their own, and one for all others. */
  Set<String> withRules() {
    Set<String> found = new LinkedHashSet<>();
    found.add(OTHERS);
    for (RedirectRule rule : all) {
      String host = rule.pattern().host();
      if (host != null) {
        found.add(host);
      }
    }
    return found;
  }

  /** Returns the redirects of a site, in their order. */
  List<RedirectRule> rulesOf(String site) {
    return rules.computeIfAbsent(
        site,
        _ ->
            all.stream()
                .filter(rule -> rule.pattern().host() == null || site.equals(rule.pattern().host()))
                .toList());
  }
}
