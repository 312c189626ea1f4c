package dev.peregrine.base;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Percent-encoded octets (RFC 3986 section 2.1). */
public final class PercentCoding {
  /** Returned in place of an octet if two hexadecimal digits don't follow the percent sign. */
  public static final int MALFORMED = -1;

  private static final int RADIX = 16;
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final String UNESCAPED = "-._~!$&'()*+,;=@";

  private PercentCoding() {}

  /**
   * Returns the octet that three bytes encode, or {@link #MALFORMED}.
   *
   * @param percent index of the percent sign
   * @param end index after the last byte of the text
   */
  public static int decodeAt(byte[] text, int percent, int end) {
    int high = percent + 2 < end ? Character.digit(text[percent + 1], RADIX) : -1;
    int low = percent + 2 < end ? Character.digit(text[percent + 2], RADIX) : -1;
    return high < 0 || low < 0 ? MALFORMED : high << 4 | low;
  }

  /** Appends a segment of a path, encoded so that nothing in it looks like a slash or a query. */
  public static void encodeSegment(String segment, StringBuilder to) {
    for (byte b : segment.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xFF);
      boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || UNESCAPED.indexOf(c) >= 0);
      if (plain) {
        to.append(c);
      } else {
        to.append('%').append(HEX.toHexDigits(b));
      }
    }
  }
}
