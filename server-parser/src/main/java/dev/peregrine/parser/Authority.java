package dev.peregrine.parser;

import dev.peregrine.parser.grammar.Ascii;
import dev.peregrine.parser.grammar.CharClass;
import dev.peregrine.parser.grammar.Memory;
import dev.peregrine.parser.scan.Swar;
import java.lang.foreign.MemorySegment;

/** {@code uri-host [ ":" port ]}: RFC 9110 section 4.1, RFC 3986 section 3.2. */
final class Authority {
  private static final int PORT_MAX = 65535;

  /** Any number of so many digits is a port. */
  private static final int PLAIN_PORT_DIGITS = 4;

  private static final long CASE_BITS = Swar.repeat(Ascii.CASE_BIT);
  private static final int IPV6_GROUPS = 8;
  private static final int GROUP_DIGITS_MAX = 4;
  private static final int IPV4_PARTS = 4;
  private static final int IPV4_PART_MAX = 255;

  private Authority() {}

  /** Whether the range is a valid host, which can be empty if nothing follows, and port. */
  static boolean isValid(MemorySegment bytes, int start, int end) {
    if (isPlain(bytes, start, portStart(bytes, start, end))) {
      return true;
    }
    int host = hostEnd(bytes, start, end);
    return start == end || (host > start && isPort(bytes, host, end));
  }

  /** Whether the range is of letters, digits, hyphens and dots alone: a host as most are. */
  private static boolean isPlain(MemorySegment bytes, int start, int end) {
    int length = end - start;
    if (length <= 0 || end < Long.BYTES) {
      return false;
    }
    long odd = 0;
    for (int at = start; at + Long.BYTES < end; at += Long.BYTES) {
      odd |= oddInHost(Memory.longAt(bytes, at));
    }
    long last = oddInHost(Memory.longAt(bytes, end - Long.BYTES));
    odd |= length >= Long.BYTES ? last : last >>> ((Long.BYTES - length) * Byte.SIZE);
    return odd == 0;
  }

  private static long oddInHost(long word) {
    long letters = Swar.range('a', 'z', word | CASE_BITS);
    long digitsAndMore = Swar.range('-', '9', word) & ~Swar.range('/', '/', word);
    return ~(letters | digitsAndMore) & Swar.HIGH_BITS;
  }

  /** Where a colon and up to four digits start at the end of the range, or the end. */
  private static int portStart(MemorySegment bytes, int start, int end) {
    int at = end - 1;
    int least = Math.max(start, end - 1 - PLAIN_PORT_DIGITS);
    while (at > least && Ascii.isDigit(Memory.byteAt(bytes, at))) {
      at--;
    }
    return at >= start && Memory.byteAt(bytes, at) == Ascii.COLON ? at : end;
  }

  /** Where the host that starts here ends: at a colon or the end if it is valid; -1 if not. */
  static int hostEnd(MemorySegment bytes, int start, int end) {
    if (start < end && Memory.byteAt(bytes, start) == '[') {
      return literalEnd(bytes, start, end);
    }
    int at = start;
    while (at < end && CharClass.REG_NAME.contains(Memory.byteAt(bytes, at))) {
      if (Memory.byteAt(bytes, at) == '%' && !isEncoded(bytes, at, end)) {
        return -1;
      }
      at++;
    }
    return at;
  }

  /** Whether the range is nothing, or a colon and a port number, which can be empty. */
  static boolean isPort(MemorySegment bytes, int start, int end) {
    if (start == end) {
      return true;
    }
    if (Memory.byteAt(bytes, start) != Ascii.COLON) {
      return false;
    }
    int port = 0;
    for (int at = start + 1; at < end; at++) {
      byte digit = Memory.byteAt(bytes, at);
      port = 10 * port + (digit - '0');
      if (!Ascii.isDigit(digit) || port > PORT_MAX) {
        return false;
      }
    }
    return true;
  }

  private static boolean isEncoded(MemorySegment bytes, int percent, int end) {
    return percent + 2 < end
        && CharClass.HEX_DIGITS.contains(Memory.byteAt(bytes, percent + 1))
        && CharClass.HEX_DIGITS.contains(Memory.byteAt(bytes, percent + 2));
  }

  /** Behind the bracket that closes a valid IP-literal, or -1. */
  private static int literalEnd(MemorySegment bytes, int start, int end) {
    int close = start + 1;
    while (close < end && Memory.byteAt(bytes, close) != ']') {
      close++;
    }
    if (close == end) {
      return -1;
    }
    boolean valid = isIpv6(bytes, start + 1, close) || isFuture(bytes, start + 1, close);
    return valid ? close + 1 : -1;
  }

  private static boolean isFuture(MemorySegment bytes, int start, int end) {
    if (start == end || (Memory.byteAt(bytes, start) | Ascii.CASE_BIT) != 'v') {
      return false;
    }
    int dot = start + 1;
    while (dot < end && CharClass.HEX_DIGITS.contains(Memory.byteAt(bytes, dot))) {
      dot++;
    }
    if (dot == start + 1 || dot + 1 >= end || Memory.byteAt(bytes, dot) != '.') {
      return false;
    }
    for (int at = dot + 1; at < end; at++) {
      if (!CharClass.IP_FUTURE.contains(Memory.byteAt(bytes, at))) {
        return false;
      }
    }
    return true;
  }

  /** Groups of up to four digits, one "::" for one group of zeros or more, an IPv4 tail. */
  private static boolean isIpv6(MemorySegment bytes, int start, int end) {
    int groups = 0;
    boolean elided = false;
    int at = start;
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

  private static boolean startsWithColons(MemorySegment bytes, int at, int end) {
    return at + 1 < end
        && Memory.byteAt(bytes, at) == Ascii.COLON
        && Memory.byteAt(bytes, at + 1) == Ascii.COLON;
  }

  private static int hexDigits(MemorySegment bytes, int start, int end) {
    int at = start;
    while (at < end && CharClass.HEX_DIGITS.contains(Memory.byteAt(bytes, at))) {
      at++;
    }
    return at - start;
  }

  private static boolean isIpv4(MemorySegment bytes, int start, int end) {
    int at = start;
    for (int part = 1; part <= IPV4_PARTS; part++) {
      int first = at;
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
