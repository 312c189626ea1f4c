package dev.peregrine.cli.rules;

import dev.peregrine.cli.options.OptionValue;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The paths that a rule is for: one path, or all with a beginning and an end, between which a
 * {@code *} stands for any characters. Compared with {@link PlainPath plain paths}. Immutable.
 */
public final class PathPattern {
  private static final String FORMS = "/path, /prefix/*, *.suffix, or one of these after a HOST";

  /** Characters without a look of their own, which some file systems leave out. */
  private static final Pattern IGNORED = Pattern.compile("[\\p{Cf}\\uFE00-\\uFE0F]");

  private static final char SIGMA = '\u03c3';
  private static final char FINAL_SIGMA = '\u03c2'; // at the end of a word only

  private final @Nullable String host;
  private final String prefix;
  private final @Nullable String suffix; // null without a star

  private PathPattern(@Nullable String host, String prefix, @Nullable String suffix) {
    this.host = host;
    this.prefix = prefix;
    this.suffix = suffix;
  }

  /**
   * Reads a pattern.
   *
   * @param rule where it was set
   * @throws IllegalArgumentException if it has another form
   */
  static PathPattern of(OptionValue rule, String text) {
    int slash = text.indexOf('/');
    String host = slash > 0 ? text.substring(0, slash).toLowerCase(Locale.ROOT) : null;
    String path = slash > 0 ? text.substring(slash) : text;
    if (path.matches("\\*[^*/]+")) {
      path = "/" + path;
    }
    int star = path.indexOf('*');
    if (!path.startsWith("/") || (star >= 0 && path.indexOf('*', star + 1) >= 0)) {
      throw rule.mustBegin(FORMS);
    }
    // The star is a character of no other meaning while the rest is decoded.
    String plain = PlainPath.of(latin1(path));
    if (plain == null) {
      throw rule.mustBegin("the path of a request, without //, dots and control characters");
    }
    if (star < 0) {
      return new PathPattern(host, plain, null);
    }
    String before = PlainPath.of(latin1(path.substring(0, star)));
    String after = PlainPath.of(latin1("/x" + path.substring(star + 1)));
    if (before == null || after == null) {
      throw rule.mustBegin("a path whose * is not beside a dot");
    }
    return new PathPattern(host, before, after.substring(2));
  }

  private static String latin1(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** Returns the host before the path, in lower case; null for the site without one. */
  @Nullable String host() {
    return host;
  }

  /** Returns the pattern, decoded, for messages. */
  String text() {
    return (host == null ? "" : host) + prefix + (suffix == null ? "" : "*" + suffix);
  }

  /** Returns true if the pattern has a star. */
  boolean hasStar() {
    return suffix != null;
  }

  /** Returns the number of characters beside the star. */
  int fixedLength() {
    return prefix.length() + (suffix == null ? 0 : suffix.length());
  }

  /** Returns true if a plain path matches. */
  public boolean matches(String path) {
    return suffix == null
        ? path.equals(prefix)
        : path.length() >= prefix.length() + suffix.length()
            && path.startsWith(prefix)
            && path.endsWith(suffix);
  }

  /** Returns true if a plain path matches, or lies below the one path of a pattern. */
  boolean covers(String path) {
    String directory = prefix.endsWith("/") ? prefix : prefix + "/";
    return matches(path) || (suffix == null && path.startsWith(directory));
  }

  /** Returns what the star stands for in a path that matches; empty without a star. */
  String captured(String path) {
    return suffix == null ? "" : path.substring(prefix.length(), path.length() - suffix.length());
  }

  /**
   * Returns the paths that match both: those of the longer ends, and single ones that are too short
   * for both ends side by side, such as {@code /a} of {@code /a*} and {@code /*a}.
   */
  List<PathPattern> meet(PathPattern other) {
    if (suffix == null || other.suffix == null) {
      String one = suffix == null ? prefix : other.prefix;
      return matches(one) && other.matches(one) ? List.of(only(one)) : List.of();
    }
    String before = prefix.length() < other.prefix.length() ? other.prefix : prefix;
    String after = suffix.length() < other.suffix.length() ? other.suffix : suffix;
    boolean fits =
        before.startsWith(prefix)
            && before.startsWith(other.prefix)
            && after.endsWith(suffix)
            && after.endsWith(other.suffix);
    if (!fits) {
      return List.of();
    }
    List<PathPattern> found = new ArrayList<>();
    found.add(new PathPattern(null, before, after));
    for (int shared = 1; shared <= Math.min(before.length(), after.length()); shared++) {
      String path = before + after.substring(shared);
      if (path.endsWith(after) && matches(path) && other.matches(path)) {
        found.add(only(path));
      }
    }
    return found;
  }

  private static PathPattern only(String path) {
    return new PathPattern(null, path, null);
  }

  /**
   * Returns the paths that this pattern has if its star stands for what that of another one stands
   * for in some paths.
   *
   * @param some paths that all match the other pattern
   */
  PathPattern with(PathPattern other, PathPattern some) {
    if (suffix == null) {
      return this;
    }
    if (some.suffix == null || other.suffix == null) {
      return only(local(prefix + other.captured(some.prefix) + suffix));
    }
    String before = some.prefix.substring(other.prefix.length());
    String after = some.suffix.substring(0, some.suffix.length() - other.suffix.length());
    return new PathPattern(null, local(prefix + before), after + suffix);
  }

  /** Returns a path with one slash at its beginning, so that it can't be taken for a host. */
  static String local(String path) {
    return path.replaceFirst("^/+", "/");
  }

  /** Returns the path with a slash added; null if this is more than one path, or it has one. */
  @Nullable PathPattern asDirectory() {
    return suffix == null && !prefix.endsWith("/") ? only(prefix + "/") : null;
  }

  /** Returns true if all paths of another pattern match. */
  boolean hasAll(PathPattern other) {
    return meet(other).contains(other.withoutHost(Integer.MAX_VALUE));
  }

  /** Returns the path of a pattern without a star; null if it has one. */
  @Nullable String onlyPath() {
    return suffix == null ? prefix : null;
  }

  /**
   * Returns a pattern for these paths on any host, and for others if it would be too long.
   *
   * @param lengthMax the number of characters to keep of each end
   */
  PathPattern withoutHost(int lengthMax) {
    int length = prefix.length();
    if (suffix == null) {
      return length / 2 <= lengthMax
          ? only(prefix)
          : new PathPattern(
              null, prefix.substring(0, lengthMax), prefix.substring(length - lengthMax));
    }
    return new PathPattern(
        null,
        prefix.substring(0, Math.min(length, lengthMax)),
        suffix.substring(Math.max(0, suffix.length() - lengthMax)));
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof PathPattern other
        && prefix.equals(other.prefix)
        && Objects.equals(suffix, other.suffix)
        && Objects.equals(host, other.host);
  }

  @Override
  public int hashCode() {
    return Objects.hash(host, prefix, suffix);
  }

  /** Returns a pattern for {@linkplain #fold folded} paths. */
  PathPattern folded() {
    return new PathPattern(host, fold(prefix), suffix == null ? null : fold(suffix));
  }

  /**
   * Returns a text that is the same for all spellings that some file system takes for one name. The
   * text of a beginning is the beginning of the text, so letters are taken apart, not combined.
   */
  static String fold(String path) {
    String parts = Normalizer.normalize(path, Normalizer.Form.NFKD);
    String lower = parts.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    return IGNORED.matcher(lower).replaceAll("").replace(FINAL_SIGMA, SIGMA);
  }
}
