package dev.peregrine.server.conformance;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Bytes as visible text: {@code \r \n \t \0 \\ \xNN} are what they look like, and {@code \{9*ab}}
 * is {@code ab} nine times.
 */
final class Escapes {
  private Escapes() {}

  static byte[] bytes(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int i = 0;
    while (i < text.length()) {
      if (text.charAt(i) == '\\') {
        i = escape(text, i + 1, out);
      } else {
        out.write(text.charAt(i++));
      }
    }
    return out.toByteArray();
  }

  /** Adds the byte or bytes of an escape; returns the index after it. */
  private static int escape(String text, int at, ByteArrayOutputStream out) {
    switch (text.charAt(at)) {
      case 'r' -> out.write('\r');
      case 'n' -> out.write('\n');
      case 't' -> out.write('\t');
      case '0' -> out.write(0);
      case '\\' -> out.write('\\');
      case 'x' -> {
        out.write(Integer.parseInt(text, at + 1, at + 3, 16));
        return at + 3;
      }
      case '{' -> {
        int star = text.indexOf('*', at);
        int end = text.indexOf('}', star);
        out.writeBytes(repeated(text, at + 1, star, end));
        return end + 1;
      }
      default -> throw new IllegalArgumentException("no such escape: " + text.substring(at - 1));
    }
    return at + 1;
  }

  private static byte[] repeated(String text, int from, int star, int end) {
    int times = Integer.parseInt(text, from, star, 10);
    return new String(bytes(text.substring(star + 1, end)), StandardCharsets.ISO_8859_1)
        .repeat(times)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns the bytes in a readable form, for messages. */
  static String text(byte[] bytes) {
    StringBuilder out = new StringBuilder();
    for (byte b : bytes) {
      switch (b) {
        case '\r' -> out.append("\\r");
        case '\n' -> out.append("\\n");
        case '\\' -> out.append("\\\\");
        default ->
            out.append(
                b >= ' ' && b < 0x7F ? String.valueOf((char) b) : String.format("\\x%02x", b));
      }
    }
    return out.toString();
  }
}
