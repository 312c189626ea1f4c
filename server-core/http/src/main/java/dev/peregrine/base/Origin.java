package dev.peregrine.base;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a page (RFC 6454 section 4).
 *
 * @param scheme in lower case
 * @param host in lower case, with the brackets of an IPv6 address
 * @param port the default port of the scheme if none is written; -1 if the scheme isn't known
 */
public record Origin(String scheme, String host, int port) {
  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*");
  private static final Pattern AUTHORITY =
      Pattern.compile("([\\p{Alnum}._~%!$&'()*+,;=-]+|\\[[\\p{XDigit}:.]+])(?::(\\d{1,5}))?");
  private static final int PORT_MAX = 0xFFFF;
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  /** Returns the origin that is written as a scheme, {@code ://} and an authority; null if none. */
  public static @Nullable Origin parse(String text) {
    int end = text.indexOf("://");
    return end < 0 ? null : of(text.substring(0, end), text.substring(end + "://".length()));
  }

  /** Returns the origin of a scheme and an authority; null if one of them is malformed. */
  public static @Nullable Origin of(String scheme, String authority) {
    Matcher parts = AUTHORITY.matcher(authority);
    if (!SCHEME.matcher(scheme).matches() || !parts.matches()) {
      return null;
    }
    String lowerCase = scheme.toLowerCase(Locale.ROOT);
    String digits = parts.group(2);
    int port = digits == null ? defaultPort(lowerCase) : Integer.parseInt(digits);
    return port > PORT_MAX
        ? null
        : new Origin(lowerCase, parts.group(1).toLowerCase(Locale.ROOT), port);
  }

  private static int defaultPort(String scheme) {
    return switch (scheme) {
      case "http" -> HTTP_PORT;
      case "https" -> HTTPS_PORT;
      default -> -1;
    };
  }

  /** Returns the text that browsers send: without the default port (RFC 6454 section 6.2). */
  @Override
  public String toString() {
    return scheme + "://" + host + (port == defaultPort(scheme) ? "" : ":" + port);
  }
}
