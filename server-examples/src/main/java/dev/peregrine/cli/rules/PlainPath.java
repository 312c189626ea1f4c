package dev.peregrine.cli.rules;

import dev.peregrine.base.PercentCoding;
import dev.peregrine.base.Utf8;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The path of a request in its one plain spelling, which patterns are compared with. A path that
 * other software could read differently has none: so no spelling of a path evades a rule.
 */
public final class PlainPath {
  private static final int DEL = 0x7F;

  private PlainPath() {}

  /**
   * Decodes a path.
   *
   * @param raw the path as sent, a character for each byte
   * @return null if it doesn't begin with a slash, has an empty segment before its end, one of
   *     dots, an encoded slash or a backslash, a control character, broken encoding, or bytes that
   *     aren't UTF-8
   */
  public static @Nullable String of(String raw) {
    byte[] bytes = raw.getBytes(StandardCharsets.ISO_8859_1);
    if (bytes.length == 0 || bytes[0] != '/') {
      return null;
    }
    int length = 0;
    for (int i = 0; i < bytes.length; i++) {
      int octet = bytes[i] & 0xFF;
      if (octet == '%') {
        octet = PercentCoding.decodeAt(bytes, i, bytes.length);
        i += 2;
        if (octet == '/') {
          return null;
        }
      }
      if (octet < ' ' || octet == DEL || octet == '\\') { // MALFORMED is negative
        return null;
      }
      bytes[length++] = (byte) octet;
    }
    if (!Utf8.isText(bytes, 0, length)) {
      return null;
    }
    String path = new String(bytes, 0, length, StandardCharsets.UTF_8);
    return hasOddSegment(path) ? null : path;
  }

  private static boolean hasOddSegment(String path) {
    String closed = path + "/";
    return path.contains("//") || closed.contains("/./") || closed.contains("/../");
  }

  /** Encodes a part of a path so that nothing in it looks like a query; slashes stay. */
  static String encode(String part) {
    StringBuilder encoded = new StringBuilder();
    int from = 0;
    while (true) {
      int slash = part.indexOf('/', from);
      PercentCoding.encodeSegment(part.substring(from, slash < 0 ? part.length() : slash), encoded);
      if (slash < 0) {
        return encoded.toString();
      }
      encoded.append('/');
      from = slash + 1;
    }
  }
}
