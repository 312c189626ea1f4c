package dev.peregrine.server.accesslog;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A strict reader of JSON objects whose values are strings and whole numbers (RFC 8259). */
final class JsonObject {
  private static final Pattern STRING =
      Pattern.compile(
          "\"((?:[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\"\\\\]|\\\\u[0-9A-F]{4})*+)\"");
  private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,17}");
  private static final Pattern ESCAPED = Pattern.compile("\\\\(?:u([0-9A-F]{4})|(.))");

  private final String text;
  private int at;

  private JsonObject(String text) {
    this.text = text;
  }

  /** Returns the members in their order. */
  static Map<String, Object> parse(String text) {
    return new JsonObject(text).read();
  }

  private Map<String, Object> read() {
    Map<String, Object> members = new LinkedHashMap<>();
    expect('{');
    do {
      String name = string();
      expect(':');
      Object value =
          text.charAt(at) == '"' ? string() : (Object) Long.parseLong(next(NUMBER).group());
      if (members.put(name, value) != null) {
        throw new AssertionError(name + " is there twice: " + text);
      }
    } while (text.charAt(at) == ',' && at++ > 0);
    expect('}');
    if (at != text.length()) {
      throw new AssertionError("more than an object: " + text);
    }
    return members;
  }

  private String string() {
    return ESCAPED
        .matcher(next(STRING).group(1))
        .replaceAll(
            escape ->
                Matcher.quoteReplacement(
                    escape.group(1) == null
                        ? escape.group(2)
                        : "" + (char) Integer.parseInt(escape.group(1), 16)));
  }

  private Matcher next(Pattern pattern) {
    Matcher matcher = pattern.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) {
      throw new AssertionError("no JSON at " + at + ": " + text);
    }
    at = matcher.end();
    return matcher;
  }

  private void expect(char c) {
    if (text.charAt(at) != c) {
      throw new AssertionError("no " + c + " at " + at + ": " + text);
    }
    at++;
  }
}
