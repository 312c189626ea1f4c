package dev.peregrine.base;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** IP addresses as text: IPv6 as RFC 5952 recommends, which {@link InetAddress} doesn't write. */
public final class AddressText {
  /** The text for a client on a Unix domain socket, which has no address. */
  private static final String UNIX = "unix:";

  private static final int IPV4_BYTES = 4;
  private static final int GROUPS = 8;
  private static final int BYTE_MASK = 0xFF;

  private AddressText() {}

  /** Returns the IP address of a socket in ASCII, without port and zone. */
  public static byte[] of(SocketAddress address) {
    InetAddress ip = address instanceof InetSocketAddress inet ? inet.getAddress() : null;
    return text(ip).getBytes(StandardCharsets.US_ASCII);
  }

  /** Copies a text of {@link #of}, as far as it fits; returns the number of bytes copied. */
  public static int copy(byte[] text, byte[] into, int at) {
    int length = Math.min(text.length, into.length - at);
    System.arraycopy(text, 0, into, at, length);
    return length;
  }

  private static String text(@Nullable InetAddress ip) {
    if (ip == null) {
      return UNIX;
    }
    byte[] bytes = ip.getAddress();
    return bytes.length == IPV4_BYTES ? ip.getHostAddress() : ipv6(bytes);
  }

  private static String ipv6(byte[] bytes) {
    int[] groups = new int[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      groups[i] = ((bytes[2 * i] & BYTE_MASK) << Byte.SIZE) | (bytes[2 * i + 1] & BYTE_MASK);
    }
    Zeros left = Zeros.longest(groups);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < GROUPS; i++) {
      if (i == left.from) {
        text.append("::");
        i = left.to - 1;
      } else {
        text.append(i == 0 || i == left.to ? "" : ":").append(Integer.toHexString(groups[i]));
      }
    }
    return text.toString();
  }

  /** The groups that {@code ::} stands for; from -1 if there are none. */
  private record Zeros(int from, int to) {
    /** Returns the first one of the longest runs of at least two groups (section 4.2). */
    static Zeros longest(int[] groups) {
      Zeros longest = new Zeros(-1, -1);
      int least = 2;
      for (int from = 0; from < GROUPS; from++) {
        int to = from;
        while (to < GROUPS && groups[to] == 0) {
          to++;
        }
        if (to - from >= least) {
          longest = new Zeros(from, to);
          least = to - from + 1;
        }
      }
      return longest;
    }
  }
}
