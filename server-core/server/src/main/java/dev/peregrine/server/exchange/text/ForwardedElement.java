package dev.peregrine.server.exchange.text;

import dev.peregrine.base.IpLiteral;
import dev.peregrine.protocol.FieldSyntax;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One element of {@code Forwarded}, which one proxy has added (RFC 7239 section 4).
 *
 * @param node the value of {@code for}
 * @param proto the value of {@code proto}
 * @param host the value of {@code host}
 */
public record ForwardedElement(
    @Nullable String node, @Nullable String proto, @Nullable String host) {
  /**
   * Returns where the last element of a line's beginning starts, or -1 if its quotes don't match.
   * It is found from the end, so that nothing before the element, which a client may have sent, can
   * change it.
   *
   * @param end the end of the element
   */
  public static int start(String line, int end) {
    boolean quoted = false;
    for (int i = end - 1; i >= 0; i--) {
      char c = line.charAt(i);
      if (c == '"') {
        quoted = !quoted || isEscaped(line, i);
      } else if (c == ',' && !quoted) {
        return i + 1;
      }
    }
    return quoted ? -1 : 0;
  }

  /** Returns true if an odd number of backslashes precedes a position. */
  private static boolean isEscaped(String line, int at) {
    int first = at;
    while (first > 0 && line.charAt(first - 1) == '\\') {
      first--;
    }
    return (at - first) % 2 == 1;
  }

  /** Returns an element, or null if it is malformed. Whitespace around a pair is ignored. */
  public static @Nullable ForwardedElement parse(String text) {
    @Nullable String[] values = new String[NAMES.length];
    int at = 0;
    while (at <= text.length()) {
      int end = pairEnd(text, at);
      String pair = text.substring(at, end).strip();
      if (!pair.isEmpty() && !add(pair, values)) {
        return null;
      }
      at = end + 1;
    }
    return new ForwardedElement(values[0], values[1], values[2]);
  }

  private static final String[] NAMES = {"for", "proto", "host", "by"};

  private static int pairEnd(String text, int from) {
    boolean quoted = false;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted && c == '\\') {
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ';' && !quoted) {
        return i;
      }
    }
    return text.length();
  }

  /** Adds the value of a pair; returns false if the pair is malformed, or a known name repeated. */
  private static boolean add(String pair, @Nullable String[] values) {
    int equals = pair.indexOf('=');
    if (equals < 0 || !FieldSyntax.isToken(pair.substring(0, equals))) {
      return false;
    }
    String value = value(pair.substring(equals + 1));
    if (value == null) {
      return false;
    }
    for (int i = 0; i < NAMES.length; i++) {
      if (pair.regionMatches(true, 0, NAMES[i], 0, equals) && NAMES[i].length() == equals) {
        boolean first = values[i] == null;
        values[i] = value;
        return first;
      }
    }
    return true;
  }

  /** Returns the value of a token or a quoted string; null for any other text. */
  private static @Nullable String value(String text) {
    if (!text.startsWith("\"")) {
      return FieldSyntax.isToken(text) ? text : null;
    }
    StringBuilder value = new StringBuilder();
    int last = text.length() - 1;
    for (int i = 1; i < last; i++) {
      char c = text.charAt(i);
      if (c == '"') {
        return null;
      }
      if (c == '\\') {
        i++;
        if (i == last) {
          return null;
        }
        c = text.charAt(i);
      }
      value.append(c);
    }
    return last > 0 && text.charAt(last) == '"' ? value.toString() : null;
  }

  // ---- nodes ----

  /**
   * Returns the address of a node (RFC 7239 section 6), with port 0 if it has none or an obfuscated
   * one. Returns null if it is unknown, obfuscated or malformed.
   *
   * @param isBareAllowed whether an IPv6 address may be without brackets, as in X-Forwarded-For
   */
  public static @Nullable InetSocketAddress address(String node, boolean isBareAllowed) {
    int colon = node.lastIndexOf(':');
    if (node.startsWith("[")) {
      int end = node.indexOf(']');
      if (end < 0 || (end + 1 < node.length() && colon != end + 1)) {
        return null;
      }
      String port = end + 1 == node.length() ? "0" : node.substring(colon + 1);
      return address(IpLiteral.parseIpv6(node.substring(1, end)), port);
    }
    if (colon < 0) {
      return address(IpLiteral.parseIpv4(node), "0");
    }
    if (node.indexOf(':') == colon) {
      return address(IpLiteral.parseIpv4(node.substring(0, colon)), node.substring(colon + 1));
    }
    return isBareAllowed ? address(IpLiteral.parseIpv6(node), "0") : null;
  }

  private static @Nullable InetSocketAddress address(@Nullable InetAddress host, String port) {
    boolean isObfuscated = port.length() > 1 && port.charAt(0) == '_';
    int number = isObfuscated ? 0 : IpLiteral.parsePort(port);
    return host == null || number < 0 ? null : new InetSocketAddress(host, number);
  }
}
