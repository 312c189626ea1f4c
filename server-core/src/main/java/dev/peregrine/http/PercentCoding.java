package dev.peregrine.http;

/** Percent-encoded octets (RFC 3986 section 2.1). */
final class PercentCoding {
  private static final int RADIX = 16;

  private PercentCoding() {}

  /**
   * The octet that is encoded at an index.
   *
   * @param end where the text ends
   * @throws HttpException 400 if there aren't two hexadecimal digits
   */
  static int decodeAt(byte[] text, int percent, int end) {
    int high = percent + 2 < end ? Character.digit(text[percent + 1], RADIX) : -1;
    int low = percent + 2 < end ? Character.digit(text[percent + 2], RADIX) : -1;
    if (high < 0 || low < 0) {
      throw new HttpException(
          HttpStatus.BAD_REQUEST.code(), "a percent sign lacks its two hexadecimal digits");
    }
    return high << 4 | low;
  }
}
