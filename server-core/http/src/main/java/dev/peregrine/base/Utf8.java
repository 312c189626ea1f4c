package dev.peregrine.base;

/** A check for UTF-8 (RFC 3629): nothing overlong, no surrogates, nothing above U+10FFFF. */
public final class Utf8 {
  private static final int CONTINUATION_MASK = 0xC0;
  private static final int CONTINUATION = 0x80;

  private Utf8() {}

  /** Returns true if the bytes are UTF-8 without NUL. */
  public static boolean isText(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to) {
      byte b = bytes[i];
      if (b > 0) {
        i++;
        continue;
      }
      int length = b == 0 ? 0 : sequenceLength(bytes, i, to);
      if (length == 0) {
        return false;
      }
      i += length;
    }
    return true;
  }

  /** Returns the length of the sequence that a byte above ASCII starts; 0 if it is malformed. */
  private static int sequenceLength(byte[] bytes, int at, int to) {
    int lead = bytes[at] & 0xFF;
    int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || length > to - at) {
      return 0;
    }
    int second = bytes[at + 1] & 0xFF;
    boolean secondFits =
        switch (lead) {
          case 0xE0 -> second >= 0xA0;
          case 0xED -> second <= 0x9F;
          case 0xF0 -> second >= 0x90;
          case 0xF4 -> second <= 0x8F;
          default -> true;
        };
    for (int i = 1; i < length; i++) {
      if ((bytes[at + i] & CONTINUATION_MASK) != CONTINUATION) {
        return 0;
      }
    }
    return secondFits ? length : 0;
  }
}
