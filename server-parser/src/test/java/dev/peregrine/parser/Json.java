package dev.peregrine.parser;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A reader for well-formed JSON files: maps, lists, strings, doubles, booleans and null. */
public final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  public static @Nullable Object read(String text) {
    return new Json(text).value();
  }

  private @Nullable Object value() {
    skipBlanks();
    return switch (text.charAt(at)) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, @Nullable Object> object() {
    var members = new LinkedHashMap<String, @Nullable Object>();
    for (at++; !skipTo('}'); ) {
      String name = string();
      skipTo(':');
      members.put(name, value());
      skipTo(',');
    }
    return members;
  }

  private List<@Nullable Object> array() {
    var elements = new ArrayList<@Nullable Object>();
    for (at++; !skipTo(']'); ) {
      elements.add(value());
      skipTo(',');
    }
    return elements;
  }

  private String string() {
    var string = new StringBuilder();
    for (at++; text.charAt(at) != '"'; at++) {
      string.append(text.charAt(at) == '\\' ? escaped() : text.charAt(at));
    }
    at++;
    return string.toString();
  }

  private char escaped() {
    char escape = text.charAt(++at);
    int index = "bfnrt".indexOf(escape);
    if (index >= 0) {
      return "\b\f\n\r\t".charAt(index);
    }
    if (escape == 'u') {
      at += 4;
      return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
    }
    return escape;
  }

  private Double number() {
    int start = at;
    while ("+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return Double.valueOf(text.substring(start, at));
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    at += word.length();
    return value;
  }

  /** Skips whitespace and, if it is next, the character; returns true if it was. */
  private boolean skipTo(char next) {
    skipBlanks();
    if (text.charAt(at) != next) {
      return false;
    }
    at++;
    skipBlanks();
    return true;
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }
}
