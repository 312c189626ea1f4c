package dev.peregrine.http.text;

import dev.peregrine.base.PercentCoding;
import dev.peregrine.base.Scratch;
import dev.peregrine.base.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Pairs of {@code application/x-www-form-urlencoded}. */
public final class Urlencoded {
  private Urlencoded() {}

  /**
   * Decodes pairs, and adds their names and values to two lists in their order.
   *
   * @throws IllegalArgumentException for more pairs than the limit, for a percent sign without its
   *     digits, and for text that isn't UTF-8 or has a NUL when decoded. The message doesn't repeat
   *     the content
   */
  public static void decode(
      byte[] urlencoded, int countMax, List<String> names, List<String> values) {
    int from = 0;
    while (from < urlencoded.length) {
      int end = indexOf((byte) '&', urlencoded, from, urlencoded.length);
      if (end > from) {
        if (names.size() == countMax) {
          throw new IllegalArgumentException("more than " + countMax + " parameters");
        }
        int equals = indexOf((byte) '=', urlencoded, from, end);
        names.add(text(urlencoded, from, equals));
        values.add(text(urlencoded, Math.min(equals + 1, end), end));
      }
      from = end + 1;
    }
  }

  private static int indexOf(byte wanted, byte[] bytes, int from, int end) {
    int i = from;
    while (i < end && bytes[i] != wanted) {
      i++;
    }
    return i;
  }

  private static String text(byte[] encoded, int from, int end) {
    int plainEnd = plainEnd(encoded, from, end);
    if (plainEnd == end) {
      return new String(encoded, from, end - from, StandardCharsets.US_ASCII);
    }
    byte[] decoded = Scratch.take(end - from);
    try {
      return text(encoded, from, plainEnd, end, decoded);
    } finally {
      Scratch.giveBack(decoded);
    }
  }

  private static String text(byte[] encoded, int from, int plainEnd, int end, byte[] decoded) {
    int length = plainEnd - from;
    System.arraycopy(encoded, from, decoded, 0, length);
    for (int i = plainEnd; i < end; i++) {
      byte b = encoded[i];
      if (b == '+') {
        b = ' ';
      } else if (b == '%') {
        b = (byte) octetAt(encoded, i, end);
        i += 2;
      }
      decoded[length++] = b;
    }
    if (!Utf8.isText(decoded, 0, length)) {
      throw new IllegalArgumentException("a parameter is not UTF-8, or has a NUL");
    }
    return new String(decoded, 0, length, StandardCharsets.UTF_8);
  }

  private static int octetAt(byte[] encoded, int percent, int end) {
    int octet = PercentCoding.decodeAt(encoded, percent, end);
    if (octet == PercentCoding.MALFORMED) {
      throw new IllegalArgumentException("a percent sign lacks its two hexadecimal digits");
    }
    return octet;
  }

  /** Returns the index of the first byte that isn't ASCII, or that decoding changes or rejects. */
  private static int plainEnd(byte[] encoded, int from, int end) {
    int i = from;
    while (i < end && encoded[i] > 0 && encoded[i] != '+' && encoded[i] != '%') {
      i++;
    }
    return i;
  }
}
