package dev.peregrine.http.text;

import org.jspecify.annotations.Nullable;

/** Writes problem details (RFC 9457) without a JSON library. */
public final class ProblemJson {
  private static final int HEX = 16;

  private ProblemJson() {}

  /** Returns the object with these members; without the detail if it is null. */
  public static String of(String title, int status, @Nullable String detail) {
    StringBuilder json = new StringBuilder("{\"title\":");
    appendString(json, title);
    json.append(",\"status\":").append(status);
    if (detail != null) {
      json.append(",\"detail\":");
      appendString(json, detail);
    }
    return json.append("}\n").toString();
  }

  /** Appends a string as RFC 8259 section 7 has it; a lone surrogate is escaped. */
  private static void appendString(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || (Character.isSurrogate(c) && !isPaired(text, i))) {
        json.append("\\u");
        for (int shift = Character.SIZE - 4; shift >= 0; shift -= 4) {
          json.append(Character.forDigit(c >> shift & 0xF, HEX));
        }
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }

  private static boolean isPaired(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
        : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
  }
}
