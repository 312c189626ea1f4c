package dev.peregrine.http.multipart;

import dev.peregrine.protocol.FieldSyntax;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A field value with parameters: {@code form-data; name="a"} or {@code text/plain; charset=utf-8}.
 *
 * @param value the text before the parameters, in lower case
 * @param parameters by their names in lower case
 */
record ParameterizedValue(String value, Map<String, String> parameters) {
  /** How a quoted value is read. */
  enum Quoting {
    /** A backslash quotes any character (RFC 9110 section 5.6.4). */
    HTTP,
    /**
     * As browsers write names of forms (WHATWG HTML, multipart/form-data encoding algorithm): %22,
     * %0D and %0A stand for a quote, CR and LF. A backslash quotes a quote or a backslash, as other
     * clients write them, and stands for itself before any other character.
     */
    FORM
  }

  /**
   * Reads a value strictly. Returns null if it is malformed or has a parameter twice.
   *
   * @param bytes UTF-8 without controls except HTAB
   */
  static @Nullable ParameterizedValue parse(byte[] bytes, int from, int to, Quoting quoting) {
    Map<String, String> parameters = new HashMap<>();
    int valueEnd = indexOf((byte) ';', bytes, from, to);
    String value = text(bytes, from, blanksBefore(bytes, from, valueEnd));
    int at = valueEnd;
    while (at < to) {
      int nameFrom = blanksEnd(bytes, at + 1, to);
      int nameTo = indexOf((byte) '=', bytes, nameFrom, to);
      if (nameTo == to || !FieldSyntax.isToken(bytes, nameFrom, nameTo)) {
        return null;
      }
      int valueFrom = nameTo + 1;
      boolean quoted = valueFrom < to && bytes[valueFrom] == '"';
      int end =
          quoted ? quotedEnd(bytes, valueFrom + 1, to, quoting) : tokenEnd(bytes, valueFrom, to);
      if (end < 0) {
        return null;
      }
      String text =
          quoted ? unquote(bytes, valueFrom + 1, end - 1, quoting) : text(bytes, valueFrom, end);
      if (parameters.put(text(bytes, nameFrom, nameTo).toLowerCase(Locale.ROOT), text) != null) {
        return null;
      }
      at = blanksEnd(bytes, end, to);
      if (at < to && bytes[at] != ';') {
        return null;
      }
    }
    return new ParameterizedValue(value.toLowerCase(Locale.ROOT), parameters);
  }

  /** Returns the index after a token; -1 if it is empty or malformed. */
  private static int tokenEnd(byte[] bytes, int from, int to) {
    int end = blanksBefore(bytes, from, indexOf((byte) ';', bytes, from, to));
    return FieldSyntax.isToken(bytes, from, end) ? end : -1;
  }

  /** Returns the index after the closing quote; -1 if it is absent. */
  private static int quotedEnd(byte[] bytes, int from, int to, Quoting quoting) {
    int at = from;
    while (at < to && bytes[at] != '"') {
      at += isQuotedPair(bytes, at, to, quoting) ? 2 : 1;
    }
    return at < to ? at + 1 : -1;
  }

  private static boolean isQuotedPair(byte[] bytes, int at, int to, Quoting quoting) {
    return bytes[at] == '\\'
        && at + 1 < to
        && (quoting == Quoting.HTTP || bytes[at + 1] == '"' || bytes[at + 1] == '\\');
  }

  private static String unquote(byte[] bytes, int from, int to, Quoting quoting) {
    byte[] plain = new byte[to - from];
    int length = 0;
    for (int at = from; at < to; at++) {
      int octet = quoting == Quoting.FORM ? escaped(bytes, at, to) : -1;
      if (octet >= 0) {
        at += 2;
        plain[length++] = (byte) octet;
      } else {
        if (isQuotedPair(bytes, at, to, quoting)) {
          at++;
        }
        plain[length++] = bytes[at];
      }
    }
    return text(plain, 0, length);
  }

  /** Returns the character that an escape of browsers stands for; -1 if there is none. */
  private static int escaped(byte[] bytes, int at, int to) {
    if (bytes[at] != '%' || to - at < 3) {
      return -1;
    }
    int last = bytes[at + 2] | 0x20;
    if (bytes[at + 1] == '2') {
      return bytes[at + 2] == '2' ? '"' : -1;
    }
    if (bytes[at + 1] == '0') {
      return last == 'd' ? '\r' : last == 'a' ? '\n' : -1;
    }
    return -1;
  }

  private static int indexOf(byte wanted, byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != wanted) {
      at++;
    }
    return at;
  }

  /** Returns the index of the first byte that isn't blank. */
  static int blanksEnd(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && isBlank(bytes[at])) {
      at++;
    }
    return at;
  }

  /** Returns the index after the last byte that isn't blank. */
  static int blanksBefore(byte[] bytes, int from, int to) {
    int at = to;
    while (at > from && isBlank(bytes[at - 1])) {
      at--;
    }
    return at;
  }

  static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }
}
