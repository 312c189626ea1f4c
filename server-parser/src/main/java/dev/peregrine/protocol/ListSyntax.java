package dev.peregrine.protocol;

import java.util.ArrayList;
import java.util.List;

/** Elements of a field value that a delimiter separates (RFC 9110 sections 5.6.1 and 5.6.6). */
public final class ListSyntax {
  private ListSyntax() {}

  /**
   * Returns the elements without surrounding whitespace; empty ones are left out. A delimiter in a
   * quoted string doesn't count.
   */
  public static List<String> split(String value, char delimiter) {
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
