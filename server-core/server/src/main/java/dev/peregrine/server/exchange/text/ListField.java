package dev.peregrine.server.exchange.text;

import dev.peregrine.protocol.ListSyntax;
import java.util.List;

/** Fields whose value is a comma-separated list (RFC 9110 section 5.6.1). */
public final class ListField {
  private ListField() {}

  /** Returns true if one of the field's lines has that element, compared case-insensitively. */
  public static boolean contains(List<String> lines, String element) {
    for (String line : lines) {
      for (String each : ListSyntax.split(line, ',')) {
        if (each.equalsIgnoreCase(element)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns true if a value has elements, and each of them is in one of the field's lines. */
  public static boolean containsAll(List<String> lines, String value) {
    List<String> elements = ListSyntax.split(value, ',');
    for (String element : elements) {
      if (!contains(lines, element)) {
        return false;
      }
    }
    return !elements.isEmpty();
  }
}
