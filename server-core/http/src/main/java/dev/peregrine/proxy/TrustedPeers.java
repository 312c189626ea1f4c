package dev.peregrine.proxy;

import dev.peregrine.base.IpLiteral;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * The peers that a server trusts: ranges of IP addresses, and the peers of Unix domain sockets.
 * Immutable.
 *
 * <pre>{@code
 * TrustedPeers balancers = TrustedPeers.of("10.0.0.0/8", "2001:db8::17");
 * }</pre>
 */
public final class TrustedPeers {
  private final List<AddressRange> ranges;
  private final boolean unixSockets;

  private TrustedPeers(List<AddressRange> ranges, boolean unixSockets) {
    this.ranges = List.copyOf(ranges);
    this.unixSockets = unixSockets;
  }

  /**
   * Returns the peers with those addresses.
   *
   * @param ranges IP addresses, or ranges in CIDR notation (RFC 4632 section 3.1, RFC 4291 section
   *     2.3), at least one. Host names are not resolved
   * @throws IllegalArgumentException if one is neither, or has bits set after its prefix
   */
  public static TrustedPeers of(String... ranges) {
    if (ranges.length == 0) {
      throw new IllegalArgumentException("ranges is empty, but must have at least one address");
    }
    List<AddressRange> parsed = new ArrayList<>();
    for (String range : ranges) {
      parsed.add(AddressRange.parse(range));
    }
    return new TrustedPeers(parsed, false);
  }

  /** Returns the peers of Unix domain sockets, which the permissions of their files limit. */
  public static TrustedPeers unixSockets() {
    return new TrustedPeers(List.of(), true);
  }

  /** Returns these peers and those of Unix domain sockets. */
  public TrustedPeers withUnixSockets() {
    return new TrustedPeers(ranges, true);
  }

  /** Returns true if the peer at that end of a connection is trusted; callable from any thread. */
  public boolean contains(SocketAddress peer) {
    return switch (peer) {
      case InetSocketAddress inet -> !inet.isUnresolved() && contains(inet.getAddress());
      case UnixDomainSocketAddress unix -> unixSockets;
      default -> false;
    };
  }

  /**
   * Returns true if a peer with that address is trusted. An IPv4-mapped address counts as its IPv4
   * address.
   */
  public boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress();
    for (AddressRange range : ranges) {
      if (range.contains(bytes)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return ranges + (unixSockets ? " and Unix domain sockets" : "");
  }

  /** Addresses with a common prefix. */
  private static final class AddressRange {
    private final byte[] network;
    private final int prefixBits;

    private AddressRange(byte[] network, int prefixBits) {
      this.network = network;
      this.prefixBits = prefixBits;
    }

    static AddressRange parse(String text) {
      int slash = text.indexOf('/');
      String literal = slash < 0 ? text : text.substring(0, slash);
      InetAddress address = IpLiteral.parse(literal);
      if (address == null) {
        throw new IllegalArgumentException(
            "not an IP address or a range such as 10.0.0.0/8: " + text);
      }
      byte[] network = address.getAddress();
      int bits = network.length * Byte.SIZE;
      if (slash >= 0) {
        int prefix = IpLiteral.parsePort(text.substring(slash + 1));
        boolean isMapped = network.length == 4 && literal.indexOf(':') >= 0;
        if (prefix < 0 || prefix > bits || isMapped) {
          throw new IllegalArgumentException(
              "the prefix is not 0 to 32 for IPv4, or 0 to 128 for IPv6: " + text);
        }
        bits = prefix;
      }
      AddressRange range = new AddressRange(network, bits);
      if (!range.isAligned()) {
        throw new IllegalArgumentException("the range has bits set after its prefix: " + text);
      }
      return range;
    }

    private boolean isAligned() {
      for (int bit = prefixBits; bit < network.length * Byte.SIZE; bit++) {
        if ((network[bit / Byte.SIZE] & (0x80 >> (bit % Byte.SIZE))) != 0) {
          return false;
        }
      }
      return true;
    }

    boolean contains(byte[] address) {
      if (address.length != network.length) {
        return false;
      }
      int whole = prefixBits / Byte.SIZE;
      for (int i = 0; i < whole; i++) {
        if (address[i] != network[i]) {
          return false;
        }
      }
      int rest = prefixBits % Byte.SIZE;
      return rest == 0 || ((address[whole] ^ network[whole]) >> (Byte.SIZE - rest)) == 0;
    }

    @Override
    public String toString() {
      try {
        return InetAddress.getByAddress(network).getHostAddress() + "/" + prefixBits;
      } catch (UnknownHostException impossible) {
        throw new AssertionError(impossible);
      }
    }
  }
}
