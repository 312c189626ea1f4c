package dev.peregrine.server.tls.layer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Values by host name: the one for exactly that name, otherwise the one with the longest matching
 * pattern such as {@code *.example.com}, otherwise the default. Immutable.
 *
 * @param <T> the kind of the values
 */
public final class HostTable<T> {
  private record Suffix<T>(String text, T value) {}

  private final Map<String, T> exact = new HashMap<>();
  private final List<Suffix<T>> suffixes = new ArrayList<>(); // with their dot, the longest first
  private final Set<String> patterns;
  private final T otherwise;

  /**
   * Creates a table.
   *
   * @param values by names and patterns, in lower case
   * @param otherwise the default
   */
  public HostTable(Map<String, ? extends T> values, T otherwise) {
    this.patterns = Collections.unmodifiableSet(new HashMap<>(values).keySet());
    this.otherwise = otherwise;
    values.forEach(
        (pattern, value) -> {
          if (pattern.startsWith("*.")) {
            suffixes.add(new Suffix<>(pattern.substring(1), value));
          } else {
            exact.put(pattern, value);
          }
        });
    suffixes.sort(Comparator.comparingInt(suffix -> -suffix.text.length()));
  }

  /** Returns a name or pattern as a key of the table. */
  public static String key(String pattern) {
    return pattern.toLowerCase(Locale.ROOT);
  }

  /** Returns the names and patterns of the table. */
  Set<String> patterns() {
    return patterns;
  }

  /**
   * Returns the value for a name.
   *
   * @param name in lower case; null for the default
   */
  T find(@Nullable String name) {
    if (name == null) {
      return otherwise;
    }
    T known = exact.get(name);
    if (known != null) {
      return known;
    }
    for (Suffix<T> suffix : suffixes) {
      if (name.length() > suffix.text.length() && name.endsWith(suffix.text)) {
        return suffix.value;
      }
    }
    return otherwise;
  }
}
