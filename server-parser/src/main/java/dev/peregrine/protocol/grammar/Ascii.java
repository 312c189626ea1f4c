package dev.peregrine.protocol.grammar;

/** The bytes that delimit protocol elements, and the value of digits. */
public final class Ascii {
  public static final byte HTAB = '\t';
  public static final byte LF = '\n';
  public static final byte CR = '\r';
  public static final byte SP = ' ';
  public static final byte COLON = ':';

  /** CR and LF as a little-endian load of two bytes returns them. */
  public static final int CRLF = LF << Byte.SIZE | CR;

  /** The bit that, or-ed to a letter, makes it lower-case. */
  public static final int CASE_BIT = 0x20;

  private Ascii() {}

  /** Returns the value of a hexadecimal digit in either case, or -1. */
  public static int hexValue(byte digit) {
    if (isDigit(digit)) {
      return digit - '0';
    }
    int letter = (digit | CASE_BIT) - 'a';
    return letter >= 0 && letter < 6 ? letter + 10 : -1;
  }

  public static boolean isDigit(byte value) {
    return value >= '0' && value <= '9';
  }

  /** Returns true if the byte is whitespace within a line: SP or HTAB. */
  public static boolean isBlank(byte value) {
    return value == SP || value == HTAB;
  }
}
