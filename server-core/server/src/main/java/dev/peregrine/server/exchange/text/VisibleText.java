package dev.peregrine.server.exchange.text;

/** Text of clients in lines for humans, which can't pretend to be another line or hide a part. */
public final class VisibleText {
  private VisibleText() {}

  /**
   * Appends a text, cut to a number of {@code char}s. A question mark replaces each character that
   * ends a line, changes the direction of the text or isn't seen: controls, formats, separators of
   * lines, and halves of a surrogate pair.
   */
  public static void append(StringBuilder into, String text, int charsMax) {
    int end = Math.min(text.length(), charsMax);
    int next = 0;
    while (next < end) {
      int c = text.codePointAt(next);
      into.appendCodePoint(isVisible(c) ? c : '?');
      next += Character.charCount(c);
    }
    into.append(next < text.length() ? "..." : "");
  }

  private static boolean isVisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }
}
