package dev.peregrine.cli.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds redirects that may lead a client in a circle, or to ever longer paths. Follows all paths of
 * each pattern at once, on each host: the places that a client may come to are the nodes of a
 * graph, and its edges are the redirects, with the number of characters by which they make a path
 * longer. A circle that makes paths shorter ends. Any other one is an error.
 *
 * <p>Places are sets of paths that may be too large, but never too small: a circle that isn't
 * reported doesn't exist.
 */
final class RedirectLoops {
  private static final int PLACES_MAX = 20_000;

  /**
   * Where a client may be.
   *
   * @param scheme http or https; empty where no redirect has led it
   * @param authority host and port; empty where no redirect has led it
   * @param site the site that serves it
   * @param paths the paths that it may request
   * @param except a rule that doesn't apply to them, or null
   */
  private record Place(
      String scheme,
      String authority,
      String site,
      PathPattern paths,
      @Nullable RedirectRule except) {}

  private record Step(int from, int to, int growth, RedirectRule rule) {}

  private final SiteHosts hosts;
  private final int lengthMax;
  private final Map<Place, Integer> numbers = new HashMap<>();
  private final List<Place> places = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();

  private RedirectLoops(SiteHosts hosts) {
    this.hosts = hosts;
    this.lengthMax =
        hosts.all().stream()
            .mapToInt(rule -> Math.max(rule.pattern().fixedLength(), rule.targetLength()))
            .max()
            .orElse(0);
  }

  /**
   * Checks that each chain of redirects ends.
   *
   * @throws IllegalArgumentException if one may not
   */
  static void check(SiteHosts hosts) {
    RedirectLoops loops = new RedirectLoops(hosts);
    for (String site : hosts.withRules()) {
      loops.begin("", "", site);
    }
    for (RedirectRule rule : hosts.all()) {
      String site = rule.leadsToUrl() ? hosts.siteOf(rule.host()) : null;
      if (site != null) {
        loops.begin(rule.scheme(), rule.authority(), site);
      }
    }
    for (int i = 0; i < loops.places.size(); i++) { // grows meanwhile
      loops.follow(i);
    }
    loops.checkCircles();
  }

  /** Adds all places of a host from which a redirect leads. */
  private void begin(String scheme, String authority, String site) {
    for (RedirectRule rule : hosts.rulesOf(site)) {
      numberOf(new Place(scheme, authority, site, rule.pattern(), null), rule);
    }
  }

  private int numberOf(Place place, RedirectRule rule) {
    PathPattern paths = place.paths.withoutHost(lengthMax);
    Place cut = new Place(place.scheme, place.authority, place.site, paths, place.except);
    Integer known = numbers.putIfAbsent(cut, places.size());
    if (known != null) {
      return known;
    }
    if (places.size() == PLACES_MAX) {
      throw rule.source().wrong(", which with the others leads to too many paths to be checked");
    }
    places.add(cut);
    return places.size() - 1;
  }

  /** Adds the steps from a place. */
  private void follow(int from) {
    Place place = places.get(from);
    for (RedirectRule rule : hosts.rulesOf(place.site)) {
      boolean applies = false;
      for (PathPattern own : rule.pattern().meet(place.paths)) {
        if (rule != place.except && mayApply(rule, place, own)) {
          addSteps(from, rule, own);
          applies = true;
        }
      }
      if (applies && !place.paths.hasStar()) {
        return; // the first rule for the one path counts
      }
    }
  }

  private void addSteps(int from, RedirectRule rule, PathPattern own) {
    PathPattern reached = rule.from(own);
    Place next = next(places.get(from), rule, reached);
    if (next == null) {
      return;
    }
    steps.add(new Step(from, numberOf(next, rule), growth(own, reached), rule));
    PathPattern directory = reached.asDirectory(); // which the files redirect a name to
    if (directory != null) {
      Place inside = new Place(next.scheme, next.authority, next.site, directory, null);
      steps.add(new Step(from, numberOf(inside, rule), 0, rule));
    }
  }

  private static boolean mayApply(RedirectRule rule, Place place, PathPattern some) {
    String only = some.onlyPath();
    return only == null
        ? !rule.isOf(place.scheme, place.authority) || !rule.pattern().hasAll(rule.from(some))
        : rule.location(only, null, place.scheme, place.authority) != null;
  }

  /** Returns where a redirect leads; null if it is another server. */
  private @Nullable Place next(Place place, RedirectRule rule, PathPattern reached) {
    if (!rule.leadsToUrl()) {
      return new Place(place.scheme, place.authority, place.site, reached, null);
    }
    String site = hosts.siteOf(rule.host());
    boolean becomesHttps = hosts.httpsPort() != 0 && rule.scheme().equals("http");
    String scheme = becomesHttps ? "https" : rule.scheme();
    String authority = becomesHttps ? rule.host() + ":" + hosts.httpsPort() : rule.authority();
    // On the host that it leads to, a rule doesn't lead to paths of its own pattern.
    RedirectRule except = rule.isOf(place.scheme, place.authority) ? rule : null;
    return site == null ? null : new Place(scheme, authority, site, reached, except);
  }

  /**
   * Returns by how many characters paths become longer; 0 for one, which a circle leads back to.
   */
  private static int growth(PathPattern some, PathPattern reached) {
    return reached.hasStar() && some.hasStar() ? reached.fixedLength() - some.fixedLength() : 0;
  }

  /**
   * Checks that no circle makes paths longer, or leaves their length: looks for the longest way to
   * each place, which such a circle makes longer for ever (Bellman and Ford).
   */
  private void checkCircles() {
    int count = places.size();
    long[] longest = new long[count];
    @Nullable Step[] into = new Step[count];
    for (int round = 0; round <= count; round++) {
      Step longer = null;
      for (Step step : steps) {
        // A circle of growth 0 counts as one that grows, by the 1 for each of its steps.
        long length = longest[step.from] + step.growth * (count + 1L) + 1;
        if (length > longest[step.to]) {
          longest[step.to] = length;
          into[step.to] = step;
          longer = step;
        }
      }
      if (longer == null) {
        return;
      }
      if (round == count) {
        throw circle(longer, into);
      }
    }
  }

  private static IllegalArgumentException circle(Step longer, @Nullable Step[] into) {
    Step last = longer;
    for (int i = 0; i < into.length; i++) { // to be inside of the circle
      last = Objects.requireNonNull(into[last.from]);
    }
    RedirectRule before = Objects.requireNonNull(into[last.from]).rule;
    return last.rule
        .source()
        .wrong(
            last.rule == before
                ? ", which would redirect for ever"
                : ", which would redirect in a circle with " + before.source().value());
  }
}
