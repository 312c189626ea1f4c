package dev.peregrine.parser.value;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.protocol.grammar.CharClass;
import dev.peregrine.protocol.grammar.Swar;
import java.lang.foreign.MemorySegment;

/** {@code uri-host [ ":" port ]}: RFC 9110 section 4.1, RFC 3986 section 3.2. */
public final class Authority {
  private static final int PORT_MAX = 65535;

  private static final int PORT_DIGITS = 5;

  /** The digits of {@link #PORT_MAX}, the first one in the highest byte. */
  private static final long PORT_MAX_DIGITS = Long.reverseBytes(Memory.word("65535"));

  private static final long CASE_BITS = Swar.repeat(Ascii.CASE_BIT);
  private static final long LOW_BITS = ~Swar.HIGH_BITS;
  private static final long SLASHES = Swar.repeat('/');

  // added to a byte below 0x80, these set its highest bit if it is in the range
  private static final long FROM_A = Swar.repeat(0x80 - 'a');
  private static final long BEYOND_Z = Swar.repeat(0x7F - 'z');
  private static final long FROM_HYPHEN = Swar.repeat(0x80 - '-');
  private static final long BEYOND_9 = Swar.repeat(0x7F - '9');
  private static final int IPV6_GROUPS = 8;
  private static final int GROUP_DIGITS_MAX = 4;
  private static final int IPV4_PARTS = 4;
  private static final int IPV4_PART_MAX = 255;

  private Authority() {}

  /** Returns true if the range is a valid host, which can be empty if no port follows, and port. */
  public static boolean isValid(MemorySegment bytes, long start, long end) {
    if (isPlain(bytes, start, end)) {
      return true;
    }
    long host = hostEnd(bytes, start, end);
    return start == end || (host > start && isPort(bytes, host, end));
  }

  /**
   * Returns true if the range has the common form of a host: only letters, digits, hyphens and
   * dots, then possibly a colon and a port of up to five digits.
   */
  private static boolean isPlain(MemorySegment bytes, long start, long end) {
    if (start >= end || end < Long.BYTES) {
      return false;
    }
    long at = start;
    long odd = 0;
    while (at + Long.BYTES <= end) {
      odd = oddInHost(Memory.longAt(bytes, at));
      if (odd != 0) {
        break;
      }
      at += Long.BYTES;
    }
    long last = Memory.longAt(bytes, end - Long.BYTES);
    if (odd == 0) {
      // the remaining bytes, followed by at least one odd byte
      int beforeLeft = (int) (at + Long.BYTES - end) * Byte.SIZE;
      if (beforeLeft == Long.SIZE) {
        return true;
      }
      odd = oddInHost(last >>> beforeLeft);
    }
    at += Long.numberOfTrailingZeros(odd) / Byte.SIZE;
    return at == end || (at > start && isPlainPort(bytes, at, end, last));
  }

  /**
   * Like {@link #isPlain(MemorySegment, long, long)}, in an array. Eight bytes must be readable
   * after the range.
   */
  public static boolean isPlain(byte[] bytes, int start, int end) {
    int at = start;
    while (at < end) {
      long odd = oddInHost(Memory.longAt(bytes, at));
      if (odd != 0) {
        at += Swar.index(odd);
        break;
      }
      at += Long.BYTES;
    }
    return start < end && (at >= end || (at > start && isPlainPort(bytes, at, end)));
  }

  private static boolean isPlainPort(byte[] bytes, int colon, int end) {
    int digits = end - colon - 1;
    if (digits < 1 || digits > PORT_DIGITS || bytes[colon] != Ascii.COLON) {
      return false;
    }
    int port = 0;
    boolean valid = true;
    for (int at = colon + 1; at < end; at++) {
      valid &= Ascii.isDigit(bytes[at]);
      port = 10 * port + (bytes[at] - '0');
    }
    return valid && port <= PORT_MAX;
  }

  private static boolean isPlainPort(MemorySegment bytes, long colon, long end, long last) {
    int digits = (int) (end - colon) - 1;
    if (digits < 1 || digits > PORT_DIGITS || Memory.byteAt(bytes, colon) != Ascii.COLON) {
      return false;
    }
    int before = Long.SIZE - digits * Byte.SIZE; // bits of the bytes that precede the digits
    long odd = ~Swar.range('0', '9', last) & Swar.HIGH_BITS;
    return odd >>> before == 0
        && (digits < PORT_DIGITS || Long.reverseBytes(last) << before <= PORT_MAX_DIGITS);
  }

  /** Returns the bytes that are not plain, of eight that contain no control except HTAB. */
  public static long oddInHost(long word) {
    // setting the case bit turns no other byte of a value into a letter, digit, hyphen or dot
    long small = (word | CASE_BITS) & ~Swar.HIGH_BITS;
    long letters = (small + FROM_A) & ~(small + BEYOND_Z);
    long digitsAndMore =
        (small + FROM_HYPHEN) & ~(small + BEYOND_9) & ((small ^ SLASHES) + LOW_BITS);
    return ~((letters | digitsAndMore) & ~word) & Swar.HIGH_BITS;
  }

  /** Returns true if two authorities are equal in any case. */
  public static boolean areEqual(
      MemorySegment bytes, int start, int end, int otherStart, int otherEnd) {
    if (end - start != otherEnd - otherStart) {
      return false;
    }
    for (int i = 0; i < end - start && start != otherStart; i++) {
      int value = Memory.byteAt(bytes, start + i);
      int other = Memory.byteAt(bytes, otherStart + i);
      if (Character.toLowerCase(value) != Character.toLowerCase(other)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the end of the host that starts here: a colon or the end if it is valid; -1 if not. */
  public static long hostEnd(MemorySegment bytes, long start, long end) {
    if (start < end && Memory.byteAt(bytes, start) == '[') {
      return literalEnd(bytes, start, end);
    }
    long at = start;
    while (at < end && CharClass.REG_NAME.contains(Memory.byteAt(bytes, at))) {
      if (Memory.byteAt(bytes, at) == '%' && !PercentEncoding.isAt(bytes, at, end)) {
        return -1;
      }
      at++;
    }
    return at;
  }

  /**
   * Returns the index of the first byte that {@link #oddInHost} finds; the start if none is before
   * the segment's end.
   */
  public static long plainEnd(MemorySegment bytes, long start, long segmentEnd) {
    for (long at = start; at + Long.BYTES <= segmentEnd; at += Long.BYTES) {
      long odd = oddInHost(Memory.longAt(bytes, at));
      if (odd != 0) {
        return at + Swar.index(odd);
      }
    }
    return start;
  }

  /**
   * Returns the end of the digits of a port below 60,000 that start here; the start if they don't
   * form one.
   */
  public static long portEnd(MemorySegment bytes, long start) {
    long word = Memory.longAt(bytes, start);
    int digits = Swar.index(Swar.notDigits(word));
    boolean few = digits < PORT_DIGITS;
    return few || (digits == PORT_DIGITS && (byte) word < '6') ? start + digits : start;
  }

  /** Returns true if the range is empty, or a colon and a port number, which can be empty. */
  public static boolean isPort(MemorySegment bytes, long start, long end) {
    if (start == end) {
      return true;
    }
    if (Memory.byteAt(bytes, start) != Ascii.COLON) {
      return false;
    }
    int port = 0;
    for (long at = start + 1; at < end; at++) {
      byte digit = Memory.byteAt(bytes, at);
      port = 10 * port + (digit - '0');
      if (!Ascii.isDigit(digit) || port > PORT_MAX) {
        return false;
      }
    }
    return true;
  }

  /** Returns the index after the bracket that closes a valid IP-literal, or -1. */
  private static long literalEnd(MemorySegment bytes, long start, long end) {
    long close = start + 1;
    while (close < end && Memory.byteAt(bytes, close) != ']') {
      close++;
    }
    if (close == end) {
      return -1;
    }
    boolean valid = isIpv6(bytes, start + 1, close) || isFuture(bytes, start + 1, close);
    return valid ? close + 1 : -1;
  }

  private static boolean isFuture(MemorySegment bytes, long start, long end) {
    if (start == end || (Memory.byteAt(bytes, start) | Ascii.CASE_BIT) != 'v') {
      return false;
    }
    long dot = start + 1;
    while (dot < end && CharClass.HEX_DIGITS.contains(Memory.byteAt(bytes, dot))) {
      dot++;
    }
    if (dot == start + 1 || dot + 1 >= end || Memory.byteAt(bytes, dot) != '.') {
      return false;
    }
    for (long at = dot + 1; at < end; at++) {
      if (!CharClass.IP_FUTURE.contains(Memory.byteAt(bytes, at))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns true for groups of up to four digits, one "::" for one group of zeros or more, an IPv4
   * tail.
   */
  private static boolean isIpv6(MemorySegment bytes, long start, long end) {
    int groups = 0;
    boolean elided = false;
    long at = start;
    if (startsWithColons(bytes, at, end)) {
      elided = true;
      at += 2;
    }
    while (at < end) {
      int digits = hexDigits(bytes, at, end);
      if (at + digits < end && Memory.byteAt(bytes, at + digits) == '.') {
        groups += 2;
        return isIpv4(bytes, at, end) && (elided ? groups < IPV6_GROUPS : groups == IPV6_GROUPS);
      }
      if (digits == 0 || digits > GROUP_DIGITS_MAX) {
        return false;
      }
      groups++;
      at += digits;
      if (startsWithColons(bytes, at, end)) {
        if (elided) {
          return false;
        }
        elided = true;
        at += 2;
      } else if (at < end && (Memory.byteAt(bytes, at++) != Ascii.COLON || at == end)) {
        return false;
      }
    }
    return elided ? groups < IPV6_GROUPS : groups == IPV6_GROUPS;
  }

  private static boolean startsWithColons(MemorySegment bytes, long at, long end) {
    return at + 1 < end
        && Memory.byteAt(bytes, at) == Ascii.COLON
        && Memory.byteAt(bytes, at + 1) == Ascii.COLON;
  }

  private static int hexDigits(MemorySegment bytes, long start, long end) {
    long at = start;
    while (at < end && CharClass.HEX_DIGITS.contains(Memory.byteAt(bytes, at))) {
      at++;
    }
    return (int) (at - start);
  }

  private static boolean isIpv4(MemorySegment bytes, long start, long end) {
    long at = start;
    for (int part = 1; part <= IPV4_PARTS; part++) {
      long first = at;
      int value = 0;
      while (at < end && Ascii.isDigit(Memory.byteAt(bytes, at)) && value <= IPV4_PART_MAX) {
        value = 10 * value + (Memory.byteAt(bytes, at++) - '0');
      }
      boolean padded = at - first > 1 && Memory.byteAt(bytes, first) == '0';
      if (at == first || padded || value > IPV4_PART_MAX) {
        return false;
      }
      if (part < IPV4_PARTS && (at == end || Memory.byteAt(bytes, at++) != '.')) {
        return false;
      }
    }
    return at == end;
  }
}
