package dev.peregrine.protocol.grammar;

/**
 * The set of bytes of an ABNF rule: one table per rule, the reference for all scanners. Immutable.
 */
public final class CharClass {
  private static final String ALPHA = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final String DIGIT = "0123456789";
  private static final String UNRESERVED = ALPHA + DIGIT + "-._~";
  private static final String SUB_DELIMS = "!$&'()*+,;=";

  /** tchar, RFC 9110 section 5.6.2. */
  public static final CharClass TOKEN = new CharClass("!#$%&'*+-.^_`|~" + DIGIT + ALPHA);

  /** The characters of a field value: field-vchar, SP and HTAB, RFC 9110 section 5.5. */
  public static final CharClass FIELD_VALUE = range(0x20, 0xFF).and(0x09).without(0x7F);

  /** The single characters of pchar, "/", "?" and "%", RFC 3986 sections 3.3 and 3.4. */
  public static final CharClass TARGET = new CharClass(UNRESERVED + SUB_DELIMS + ":@/?%");

  /** The characters of a path without escapes. */
  public static final CharClass PLAIN_PATH = TARGET.without('?').without('%');

  /** The characters of a scheme, which begins with a letter, RFC 3986 section 3.1. */
  public static final CharClass SCHEME = new CharClass(ALPHA + DIGIT + "+-.");

  /** reg-name with "%", RFC 3986 section 3.2.2. */
  public static final CharClass REG_NAME = new CharClass(UNRESERVED + SUB_DELIMS + "%");

  /** The characters after the dot of an IPvFuture, RFC 3986 section 3.2.2. */
  public static final CharClass IP_FUTURE = new CharClass(UNRESERVED + SUB_DELIMS + ":");

  /** DIGIT, RFC 5234 appendix B.1. */
  public static final CharClass DIGITS = new CharClass(DIGIT);

  /** HEXDIG in either case. */
  public static final CharClass HEX_DIGITS = new CharClass(DIGIT + "ABCDEFabcdef");

  /** qdtext, RFC 9110 section 5.6.4. */
  public static final CharClass QUOTED_TEXT = FIELD_VALUE.without('"').without('\\');

  private final boolean[] members;

  private CharClass(String members) {
    this(new boolean[256]);
    for (int i = 0; i < members.length(); i++) {
      this.members[members.charAt(i)] = true;
    }
  }

  private CharClass(boolean[] members) {
    this.members = members;
  }

  /** Returns true if the byte, as an unsigned value, is a member. */
  public boolean contains(byte value) {
    return members[value & 0xFF];
  }

  /** Returns true if the character is in Latin-1 and a member. */
  public boolean contains(char value) {
    return value < members.length && members[value];
  }

  private static CharClass range(int first, int last) {
    boolean[] members = new boolean[256];
    for (int i = first; i <= last; i++) {
      members[i] = true;
    }
    return new CharClass(members);
  }

  private CharClass and(int value) {
    return with(value, true);
  }

  private CharClass without(int value) {
    return with(value, false);
  }

  private CharClass with(int value, boolean member) {
    boolean[] changed = members.clone();
    changed[value] = member;
    return new CharClass(changed);
  }
}
