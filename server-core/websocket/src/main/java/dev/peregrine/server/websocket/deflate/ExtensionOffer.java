package dev.peregrine.server.websocket.deflate;

import dev.peregrine.protocol.FieldSyntax;
import dev.peregrine.protocol.ListSyntax;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An element of Sec-WebSocket-Extensions (RFC 6455 section 9.1).
 *
 * @param extension the extension's name
 * @param parameters its parameters, in their order
 */
record ExtensionOffer(String extension, List<Parameter> parameters) {
  /**
   * A parameter of an offer.
   *
   * @param value the value without its quotes; null if there is none
   */
  record Parameter(String name, @Nullable String value) {}

  /** Returns the offers of a field value; null if it is malformed. */
  static @Nullable List<ExtensionOffer> parse(String fieldValue) {
    List<ExtensionOffer> offers = new ArrayList<>();
    for (String element : ListSyntax.split(fieldValue, ',')) {
      ExtensionOffer offer = parseElement(element);
      if (offer == null) {
        return null;
      }
      offers.add(offer);
    }
    return offers;
  }

  private static @Nullable ExtensionOffer parseElement(String element) {
    List<String> parts = partsOf(element);
    String extension = parts.getFirst();
    if (!FieldSyntax.isToken(extension)) {
      return null;
    }
    List<Parameter> parameters = new ArrayList<>();
    for (String part : parts.subList(1, parts.size())) {
      Parameter parameter = parseParameter(part);
      if (parameter == null) {
        return null;
      }
      parameters.add(parameter);
    }
    return new ExtensionOffer(extension, parameters);
  }

  /**
   * Returns the parts of an element that semicolons separate; unlike in a list, none is ignored.
   */
  private static List<String> partsOf(String element) {
    List<String> parts = new ArrayList<>();
    boolean quoted = false;
    int start = 0;
    for (int i = 0; i < element.length(); i++) {
      char c = element.charAt(i);
      if (quoted && c == '\\') {
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ';' && !quoted) {
        parts.add(strip(element.substring(start, i)));
        start = i + 1;
      }
    }
    parts.add(strip(element.substring(start)));
    return parts;
  }

  private static @Nullable Parameter parseParameter(String part) {
    int equals = part.indexOf('=');
    String name = equals < 0 ? part : strip(part.substring(0, equals));
    String value = equals < 0 ? null : valueOf(strip(part.substring(equals + 1)));
    boolean valid = FieldSyntax.isToken(name) && (equals < 0 || value != null);
    return valid ? new Parameter(name, value) : null;
  }

  /** Returns the value of a token or a quoted string, which must have a token in it; else null. */
  private static @Nullable String valueOf(String text) {
    String value = text.startsWith("\"") ? unquoted(text) : text;
    return FieldSyntax.isToken(value) ? value : null;
  }

  /** Returns the text of a quoted string; an empty one if it is malformed. */
  private static String unquoted(String text) {
    StringBuilder value = new StringBuilder();
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        return i == text.length() - 1 ? value.toString() : "";
      }
      if (c == '\\' && ++i < text.length()) {
        c = text.charAt(i);
      }
      value.append(c);
    }
    return "";
  }

  private static String strip(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && isWhitespace(text.charAt(from))) {
      from++;
    }
    while (to > from && isWhitespace(text.charAt(to - 1))) {
      to--;
    }
    return text.substring(from, to);
  }

  private static boolean isWhitespace(char c) {
    return c == ' ' || c == '\t';
  }
}
