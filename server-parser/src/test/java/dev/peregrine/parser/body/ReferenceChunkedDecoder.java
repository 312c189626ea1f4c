package dev.peregrine.parser.body;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The grammar of RFC 9112 section 7.1 as regular expressions over a complete body. */
final class ReferenceChunkedDecoder {
  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  private static final String QUOTED =
      "\"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*\"";
  private static final String BWS = "[ \\t]*";
  private static final Pattern LINE =
      Pattern.compile(
          String.format(
              "([0-9A-Fa-f]{1,16})(?:%1$s;%1$s%2$s(?:%1$s=%1$s(?:%2$s|%3$s))?)*\\r\\n",
              BWS, TOKEN, QUOTED));
  private static final Pattern TRAILER =
      Pattern.compile("(" + TOKEN + "):([\\t \\x21-\\x7e\\x80-\\xff]*)\\r\\n");

  private ReferenceChunkedDecoder() {}

  /**
   * Returns the body and trailers that the text starts with; null if it doesn't start with a valid
   * body.
   */
  static @Nullable DecodedBody decode(String text) {
    var body = new StringBuilder();
    Matcher line = LINE.matcher(text);
    int at = 0;
    while (line.region(at, text.length()).lookingAt()) {
      at = line.end();
      long size = Long.parseUnsignedLong(line.group(1), 16);
      if (size == 0) {
        return trailers(text, at, body.toString());
      }
      if (size < 0 || size > text.length() - at || !text.startsWith("\r\n", at + (int) size)) {
        return null;
      }
      body.append(text, at, at + (int) size);
      at += (int) size + 2;
    }
    return null;
  }

  private static @Nullable DecodedBody trailers(String text, int start, String body) {
    var trailers = new ArrayList<List<String>>();
    Matcher trailer = TRAILER.matcher(text);
    int at = start;
    while (trailer.region(at, text.length()).lookingAt()) {
      trailers.add(List.of(trailer.group(1), trailer.group(2).strip()));
      at = trailer.end();
    }
    return text.startsWith("\r\n", at)
        ? new DecodedBody(ChunkedDecoder.END, body, at + 2, trailers, null)
        : null;
  }
}
