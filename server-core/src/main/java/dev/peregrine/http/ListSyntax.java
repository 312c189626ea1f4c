package dev.peregrine.http;

import java.util.ArrayList;
import java.util.List;

/** Elements of a field value that a delimiter separates (RFC 9110 section 5.6). */
final class ListSyntax {
  private ListSyntax() {}

  /**
   * The elements without surrounding whitespace; empty ones are left out. A delimiter in a quoted
   * string doesn't count.
   */
  static List<String> split(String value, char delimiter) {
    List<String> elements = new ArrayList<>();
    boolean quoted = false;
    int start = 0;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (quoted && c == '\\') {
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == delimiter && !quoted) {
        add(value.substring(start, i), elements);
        start = i + 1;
      }
    }
    add(value.substring(start), elements);
    return elements;
  }

  private static void add(String element, List<String> to) {
    String stripped = element.strip();
    if (!stripped.isEmpty()) {
      to.add(stripped);
    }
  }
}
