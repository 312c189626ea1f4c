package dev.peregrine.http.text;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The Cookie field (RFC 6265 section 4.2). */
public final class Cookies {
  private Cookies() {}

  /** Returns the value of the first cookie of that name; null if there is none. */
  public static @Nullable String find(List<String> lines, String name) {
    Objects.requireNonNull(name, "name");
    for (String line : lines) {
      int from = 0;
      while (from < line.length()) {
        int semicolon = line.indexOf(';', from);
        int end = semicolon < 0 ? line.length() : semicolon;
        int equals = line.indexOf('=', from, end);
        if (equals >= 0 && line.substring(from, equals).strip().equals(name)) {
          return unquote(line.substring(equals + 1, end).strip());
        }
        from = end + 1;
      }
    }
    return null;
  }

  private static String unquote(String value) {
    int last = value.length() - 1;
    boolean quoted = last > 0 && value.charAt(0) == '"' && value.charAt(last) == '"';
    return quoted ? value.substring(1, last) : value;
  }
}
