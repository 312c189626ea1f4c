package dev.peregrine.base;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Parses IP addresses strictly. IPv4 has four decimal numbers without leading zeros. IPv6 has the
 * forms of RFC 4291 section 2.2, without a zone. Host names are never resolved.
 */
public final class IpLiteral {
  private static final int IPV4_BYTES = 4;
  private static final int IPV6_BYTES = 16;
  private static final int OCTET_MAX = 255;
  private static final int OCTET_DIGITS_MAX = 3;
  private static final int GROUP_DIGITS_MAX = 4;
  private static final int TEXT_MAX = 45; // of an IPv6 address that ends with an IPv4 address

  private IpLiteral() {}

  /** Returns the address, or null if the text is neither an IPv4 nor an IPv6 address. */
  public static @Nullable InetAddress parse(String text) {
    return address(text.indexOf(':') < 0 ? ipv4(text) : ipv6(text));
  }

  /** Returns the address, or null if the text isn't an IPv4 address. */
  public static @Nullable InetAddress parseIpv4(String text) {
    return address(ipv4(text));
  }

  /**
   * Returns the address, or null if the text isn't an IPv6 address. As everywhere in the JDK, an
   * IPv4-mapped address becomes the IPv4 address.
   */
  public static @Nullable InetAddress parseIpv6(String text) {
    return address(ipv6(text));
  }

  private static @Nullable InetAddress address(byte @Nullable [] bytes) {
    try {
      return bytes == null ? null : InetAddress.getByAddress(bytes);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static byte @Nullable [] ipv4(String text) {
    byte[] bytes = new byte[IPV4_BYTES];
    return ipv4(text, 0, bytes, 0) ? bytes : null;
  }

  /** Reads the rest of the text as an IPv4 address. */
  private static boolean ipv4(String text, int from, byte[] into, int offset) {
    int at = from;
    for (int i = 0; i < IPV4_BYTES; i++) {
      int start = at;
      int value = 0;
      while (at < text.length() && isDigit(text.charAt(at)) && at - start < OCTET_DIGITS_MAX) {
        value = value * 10 + text.charAt(at++) - '0';
      }
      boolean canonical = at - start == 1 || (at > start && text.charAt(start) != '0');
      if (!canonical || value > OCTET_MAX) {
        return false;
      }
      into[offset + i] = (byte) value;
      if (i < IPV4_BYTES - 1 && (at >= text.length() || text.charAt(at++) != '.')) {
        return false;
      }
    }
    return at == text.length();
  }

  private static byte @Nullable [] ipv6(String text) {
    int length = text.length();
    if (length > TEXT_MAX) {
      return null;
    }
    byte[] bytes = new byte[IPV6_BYTES];
    int count = 0; // bytes that were read
    int gap = -1; // the bytes before "::"
    int at = 0;
    if (text.startsWith("::")) {
      gap = 0;
      at = 2;
    }
    while (at < length) {
      int end = groupEnd(text, at);
      if (end < length && text.charAt(end) == '.') {
        boolean fits = count <= IPV6_BYTES - IPV4_BYTES;
        if (!fits || !ipv4(text, at, bytes, count)) {
          return null;
        }
        count += IPV4_BYTES;
        break;
      }
      if (end == at || count == IPV6_BYTES) {
        return null;
      }
      int group = Integer.parseInt(text, at, end, 16);
      bytes[count++] = (byte) (group >> Byte.SIZE);
      bytes[count++] = (byte) group;
      at = end;
      if (at == length) {
        break;
      }
      boolean isGap = text.startsWith("::", at);
      if (text.charAt(at) != ':' || (isGap && gap >= 0) || (!isGap && at + 1 == length)) {
        return null;
      }
      gap = isGap ? count : gap;
      at += isGap ? 2 : 1;
    }
    return expand(bytes, count, gap);
  }

  /** Moves the bytes after the gap to the end. */
  private static byte @Nullable [] expand(byte[] bytes, int count, int gap) {
    if (gap < 0) {
      return count == IPV6_BYTES ? bytes : null;
    }
    if (count == IPV6_BYTES) {
      return null; // the gap stands for no group
    }
    byte[] expanded = new byte[IPV6_BYTES];
    System.arraycopy(bytes, 0, expanded, 0, gap);
    System.arraycopy(bytes, gap, expanded, IPV6_BYTES - (count - gap), count - gap);
    return expanded;
  }

  /** Returns the end of at most four hexadecimal digits. */
  private static int groupEnd(String text, int from) {
    int at = from;
    while (at < text.length()
        && at - from < GROUP_DIGITS_MAX
        && text.charAt(at) < 0x80
        && Character.digit(text.charAt(at), 16) >= 0) {
      at++;
    }
    return at;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Returns the port, 0 to 65535, in decimal without leading zeros; -1 for any other text. */
  public static int parsePort(String text) {
    int length = text.length();
    if (length == 0 || length > 5 || (text.charAt(0) == '0' && length > 1)) {
      return -1;
    }
    int port = 0;
    for (int i = 0; i < length; i++) {
      if (!isDigit(text.charAt(i))) {
        return -1;
      }
      port = port * 10 + text.charAt(i) - '0';
    }
    return port > 0xFFFF ? -1 : port;
  }
}
