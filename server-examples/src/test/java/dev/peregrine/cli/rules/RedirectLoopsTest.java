package dev.peregrine.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.peregrine.cli.options.Invocation;
import dev.peregrine.cli.options.Option;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Circles of redirects, on hosts that the server serves. */
final class RedirectLoopsTest {
  private static final Set<String> SITES = Set.of("a.example", "*.b.example");
  private static final int PATH_LENGTH_MAX = 5;
  private static final int HOPS_MAX = 60;

  private static SiteRules read(boolean servesOthers, List<String> rules, String... more) {
    List<String> words = new ArrayList<>(List.of("serve", "."));
    words.addAll(List.of(more));
    rules.forEach(rule -> words.addAll(List.of("--redirect", rule)));
    Invocation invocation = Invocation.of(Map.of(), words.toArray(String[]::new));
    return SiteRules.of(invocation.settings(), SITES, servesOthers);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/x=https://a.example/y, /y=https://a.example/x",
        "/x=https://a.example/y, a.example/y=/x",
        "/x=https://w.b.example/y, *.b.example/y=/x",
        "/x=https://o.example/y, /y=/x",
        "a.example/x=https://o.example/y, /y=https://A.example:8443/x",
        "/a*=/*a", // of /a alone
      })
  void findsCirclesOverHosts(String rules) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(true, List.of(rules.split(", "))))
        .withMessageContaining(", which would redirect ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/x=https://o.example/y, /y=https://o.example/x", // of a host that isn't served
        "/x=/y, a.example/y=/z, *.b.example/z=/x", // no host has all three
        "/x=/y, /x=/z, /z=/x, /y=/w, a.example/x=/v", // the first counts
        "/*=https://www.example.org/*, a.example/*=https://w.b.example/*",
      })
  void allowsWhatIsNoCircleOnAnyHost(String rules) {
    assertThatNoException().isThrownBy(() -> read(false, List.of(rules.split(", "))));
  }

  @Test
  void findsACircleByTheRedirectToHttps() {
    List<String> rules = List.of("/*=http://a.example/*");
    assertThatNoException().isThrownBy(() -> read(false, rules));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read(false, rules, "--https-redirect", "443"))
        .withMessageContaining(", which would redirect for ever");
  }

  @Test
  void checksManyRulesThatMeet() {
    List<String> rules = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rules.add("/old" + i + "*=/*");
      rules.add("/one" + i + "=/two" + i);
    }
    assertThatNoException().isThrownBy(() -> read(true, rules));
  }

  /** Rules that are allowed never lead a client in a circle; rules that are rejected mostly do. */
  @Test
  void agreesWithAClientThatFollowsRandomRules() {
    int circles = 0;
    int rejectedOnly = 0;
    for (int seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      boolean servesOthers = random.nextBoolean();
      List<String> rules = new ArrayList<>();
      for (int i = random.nextInt(1, 5); i > 0; i--) {
        rules.add(rule(random));
      }
      boolean rejected = false;
      try {
        read(servesOthers, rules);
      } catch (IllegalArgumentException failure) {
        assertThat(failure).hasMessageContaining(", which w");
        rejected = true;
      }
      boolean circle = leadsInACircle(rules, servesOthers, false);
      assertThat(rejected || !circle).as("%s, others %s", rules, servesOthers).isTrue();
      circles += circle ? 1 : 0;
      rejectedOnly += rejected && !leadsInACircle(rules, servesOthers, true) ? 1 : 0;
    }
    assertThat(circles).isGreaterThan(300);
    assertThat(rejectedOnly).isLessThan(circles / 4);
  }

  private static String rule(SplittableRandom random) {
    boolean star = random.nextBoolean();
    String host = pick(random, "", "", "", "a.example", "*.b.example");
    String to =
        pick(random, "", "", "https://a.example", "http://w.b.example", "https://o.example");
    return host + path(random, star) + "=" + to + path(random, star && random.nextInt(4) > 0);
  }

  private static String pick(SplittableRandom random, String... texts) {
    return texts[random.nextInt(texts.length)];
  }

  private static String path(SplittableRandom random, boolean star) {
    String before = pick(random, "/", "/", "/x", "/y", "/x/");
    return star ? before + "*" + pick(random, "", "", "", "x", "y", "/") : before;
  }

  /**
   * Follows the rules from each short path of each host.
   *
   * @param directories whether each path is one of a directory, which a slash is added to
   */
  private static boolean leadsInACircle(
      List<String> rules, boolean servesOthers, boolean directories) {
    List<RedirectRule> parsed = new ArrayList<>();
    for (String rule : rules) {
      Invocation one = Invocation.of(Map.of(), "serve", ".", "--redirect", rule);
      parsed.add(RedirectRule.of(one.settings().all(Option.REDIRECT).getFirst()));
    }
    List<String> paths = new ArrayList<>(List.of("/"));
    for (int i = 0; i < paths.size() && paths.get(i).length() < PATH_LENGTH_MAX; i++) {
      for (String more : List.of("x", "y", "/")) {
        paths.add(paths.get(i) + more);
      }
    }
    for (String host :
        List.of("a.example", "w.b.example", "v.b.example", "o.example", "p.example")) {
      for (String path : paths) {
        for (String scheme : List.of("http", "https")) {
          if (!path.contains("//")
              && !ends(
                  parsed, servesOthers, directories, URI.create(scheme + "://" + host + path))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Returns true if a client comes to a page. */
  private static boolean ends(
      List<RedirectRule> rules, boolean servesOthers, boolean directories, URI from) {
    URI at = from;
    for (int i = 0; i < HOPS_MAX; i++) {
      String location = location(rules, servesOthers, at);
      if (location == null && directories && !at.getPath().endsWith("/")) {
        location = at.getPath() + "/";
      }
      if (location == null) {
        return true;
      }
      at = at.resolve(location);
    }
    return false;
  }

  private static @Nullable String location(List<RedirectRule> rules, boolean servesOthers, URI at) {
    String site = at.getHost().endsWith(".b.example") ? "*.b.example" : at.getHost();
    if (!servesOthers && !SITES.contains(site)) {
      return null;
    }
    for (RedirectRule rule : rules) {
      String host = rule.pattern().host();
      if (host == null || host.equals(site)) {
        String location = rule.location(at.getPath(), null, at.getScheme(), at.getAuthority());
        if (location != null) {
          return location;
        }
      }
    }
    return null;
  }
}
