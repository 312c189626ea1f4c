package dev.peregrine.server.proxy;

import dev.peregrine.base.IpLiteral;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Version 1 of the header: a line of text (section 2.1 of the specification). */
final class HeaderLine {
  /** The largest length of a line, with its CRLF. */
  static final int BYTES_MAX = 107;

  /** The beginning of every line. */
  static final String BEGIN = "PROXY ";

  private static final String UNKNOWN = "UNKNOWN";
  private static final int WORDS = 6;

  private HeaderLine() {}

  /**
   * Decodes a line.
   *
   * @param line without CRLF; begins with {@link #BEGIN}
   */
  static ProxyHeader decode(String line) throws ProxyHeaderException {
    String rest = line.substring(BEGIN.length());
    if (rest.equals(UNKNOWN) || rest.startsWith(UNKNOWN + " ")) {
      return ProxyHeader.UNKNOWN;
    }
    String[] words = line.split(" ", -1);
    if (words.length != WORDS) {
      throw new ProxyHeaderException("the line doesn't have " + WORDS + " words");
    }
    boolean isIpv6 =
        switch (words[1]) {
          case "TCP4" -> false;
          case "TCP6" -> true;
          default -> throw new ProxyHeaderException("the line has an unknown protocol");
        };
    return ProxyHeader.of(address(isIpv6, words[2], words[4]), address(isIpv6, words[3], words[5]));
  }

  private static InetSocketAddress address(boolean isIpv6, String host, String port)
      throws ProxyHeaderException {
    InetAddress address = isIpv6 ? IpLiteral.parseIpv6(host) : IpLiteral.parseIpv4(host);
    int number = IpLiteral.parsePort(port);
    if (address == null || number < 0) {
      throw new ProxyHeaderException("the line has an address or a port that isn't valid");
    }
    return new InetSocketAddress(address, number);
  }
}
