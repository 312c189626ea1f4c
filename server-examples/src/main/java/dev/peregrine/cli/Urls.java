package dev.peregrine.cli;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The URLs that a browser can open for an address that a server listens on. */
final class Urls {
  private Urls() {}

  /**
   * Returns at least one URL. A server that listens on all addresses is reached as localhost, and
   * from elsewhere by each address of this machine.
   */
  static List<String> of(String scheme, InetSocketAddress listening) {
    InetAddress address = listening.getAddress();
    int port = listening.getPort();
    if (!address.isAnyLocalAddress()) {
      return List.of(url(scheme, literal(address), port));
    }
    List<String> urls = new ArrayList<>();
    urls.add(url(scheme, "localhost", port));
    boolean withIpv6 = address instanceof Inet6Address;
    try (Stream<NetworkInterface> interfaces = NetworkInterface.networkInterfaces()) {
      interfaces
          .flatMap(NetworkInterface::inetAddresses)
          .filter(own -> !own.isLoopbackAddress() && !own.isLinkLocalAddress())
          .filter(own -> withIpv6 || !(own instanceof Inet6Address))
          .map(own -> url(scheme, literal(own), port))
          .forEach(urls::add);
    } catch (SocketException unknown) {
      // localhost is enough
    }
    return List.copyOf(urls);
  }

  private static String literal(InetAddress address) {
    String text = address.getHostAddress();
    if (!(address instanceof Inet6Address)) {
      return text;
    }
    int zone = text.indexOf('%'); // URLs have no zone
    return "[" + (zone < 0 ? text : text.substring(0, zone)) + "]";
  }

  private static String url(String scheme, String host, int port) {
    return scheme + "://" + host + ":" + port;
  }
}
