package dev.peregrine.cli.rules;

import dev.peregrine.cli.options.OptionValue;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where a redirect or rewrite leads: a path of the same site, or a URL. A {@code *} in its path
 * stands for what the star of the pattern stood for. Nothing of a request can change the host that
 * it leads to.
 */
final class Target {
  private static final char LAST_ASCII = '~';

  private final String origin; // scheme and authority in lower case; empty for a path
  private final String before;
  private final @Nullable String after; // of the star; null without one
  private final @Nullable String query;

  private Target(String origin, String before, @Nullable String after, @Nullable String query) {
    this.origin = origin;
    this.before = before;
    this.after = after;
    this.query = query;
  }

  /**
   * Reads a target.
   *
   * @param text the target; it begins with a slash, http:// or https://
   * @throws IllegalArgumentException if it is another text
   */
  static Target of(OptionValue source, String text, PathPattern pattern) {
    boolean isPlain = text.chars().allMatch(c -> c > ' ' && c <= LAST_ASCII && c != '\\');
    if (!isPlain || text.indexOf('#') >= 0) {
      throw source.wrong(
          ", but a target is ASCII without spaces, backslash and #; encode others as %C3%A9");
    }
    int from = pathStart(source, text);
    String origin = text.substring(0, from).toLowerCase(Locale.ROOT);
    int question = text.indexOf('?', from);
    String query = question < 0 ? null : text.substring(question + 1);
    String path = text.substring(from, question < 0 ? text.length() : question);
    int star = path.indexOf('*');
    boolean hasMore = text.indexOf('*', star < 0 ? 0 : from + star + 1) >= 0;
    if (hasMore || (star >= 0 && !pattern.hasStar())) {
      throw source.wrong(", but a target has one * at most, in its path, for that of the pattern");
    }
    check(source, origin, path.replace("*", "x"), query);
    return star < 0
        ? new Target(origin, path, null, query)
        : new Target(origin, path.substring(0, star), path.substring(star + 1), query);
  }

  /** Returns the index of the path in a target. */
  private static int pathStart(OptionValue source, String text) {
    if (text.startsWith("/") && !text.startsWith("//")) {
      return 0;
    }
    int authority = text.indexOf("://") + "://".length();
    boolean isWeb = text.toLowerCase(Locale.ROOT).matches("https?://.+");
    int slash = text.indexOf('/', authority);
    if (!isWeb || slash < 0) {
      throw source.wrong(", but a target is /path, http://HOST/path or https://HOST/path");
    }
    return slash;
  }

  private static void check(
      OptionValue source, String origin, String path, @Nullable String query) {
    try {
      URI uri = new URI(origin + path + (query == null ? "" : "?" + query));
      boolean hasHost = origin.isEmpty() || (uri.getHost() != null && uri.getUserInfo() == null);
      if (hasHost && PlainPath.of(path) != null) {
        return;
      }
    } catch (URISyntaxException notOne) {
      // reported below
    }
    throw source.wrong(", but a target is a valid URL, without //, dots and encoded slashes");
  }

  /** Returns true if it leads to another path of the same site. */
  boolean isPath() {
    return origin.isEmpty();
  }

  /** Returns the host that it leads to; empty for a path. */
  String host() {
    return authority().replaceFirst(":\\d+$", "");
  }

  /** Returns the scheme of the URL that it leads to; empty for a path. */
  String scheme() {
    return isPath() ? "" : origin.substring(0, origin.indexOf("://"));
  }

  /** Returns host and port of the URL that it leads to; empty for a path. */
  String authority() {
    return isPath() ? "" : origin.substring(origin.indexOf("://") + "://".length());
  }

  boolean hasQuery() {
    return query != null;
  }

  /**
   * Returns the path for a captured part, encoded.
   *
   * @param captured what the star of the pattern stood for, decoded
   * @return null if the path has a segment that other software could read differently
   */
  @Nullable String path(String captured) {
    if (after == null) {
      return before;
    }
    String path = PathPattern.local(before + PlainPath.encode(captured) + after);
    return PlainPath.of(path) == null ? null : path;
  }

  /**
   * Returns the reference for a path, with the query of the request unless the target has its own.
   */
  String reference(String path, @Nullable String requested) {
    String used = query == null ? requested : query;
    return origin + path + (used == null || used.isEmpty() ? "" : "?" + used);
  }

  /** Returns true if a request for a host, by that scheme, is one to this target's host. */
  boolean isOf(String scheme, @Nullable String host) {
    if (host == null || !origin.startsWith(scheme + "://")) {
      return false;
    }
    String port = scheme.equals("https") ? ":443" : ":80";
    return without(port, host.toLowerCase(Locale.ROOT)).equals(without(port, authority()));
  }

  private static String without(String end, String text) {
    return text.endsWith(end) ? text.substring(0, text.length() - end.length()) : text;
  }

  /** Returns the paths that it leads to, as a pattern. */
  PathPattern shape(OptionValue source) {
    return PathPattern.of(source, after == null ? before : before + "*" + after);
  }
}
