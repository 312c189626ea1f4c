package dev.peregrine.server.exchange.text;

import dev.peregrine.base.IpLiteral;
import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Request;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.server.connection.Connection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The client of a request as trusted proxies report it by fields. Immutable.
 *
 * @param address the client's address
 * @param scheme the scheme of its request; null if none is reported
 * @param host the authority of its request; null if none is reported
 */
public record ForwardedClient(
    SocketAddress address, @Nullable String scheme, @Nullable String host) {
  /** The client's address of an upgraded connection, whose request can't be read any more. */
  public static final AttributeKey<SocketAddress> ADDRESS = AttributeKey.of("forwardedAddress");

  private static final int HOST_LENGTH_MAX = 255 + ":65535".length();

  /** Reads the fields of a request, if its connection comes from a trusted proxy. */
  public static ForwardedClient read(TrustedProxies trusted, Request request, Connection connection)
      throws IOException {
    SocketAddress peer = connection.facts().remoteAddress();
    if (!isTrusted(trusted, peer, connection.facts().proxy())) {
      return new ForwardedClient(peer, null, null);
    }
    Walk walk = new Walk(trusted, peer);
    String name = trusted.isForwarded() ? HeaderName.FORWARDED : HeaderName.X_FORWARDED_FOR;
    List<String> lines = request.headers(name);
    for (int i = lines.size() - 1; i >= 0 && !walk.ended; i--) {
      walk.take(lines.get(i));
    }
    if (!trusted.isForwarded()) {
      walk.takeScheme(trusted.readsScheme() ? only(request, HeaderName.X_FORWARDED_PROTO) : null);
      walk.takeHost(trusted.readsHost() ? only(request, HeaderName.X_FORWARDED_HOST) : null);
    }
    return new ForwardedClient(walk.address, walk.scheme, walk.host);
  }

  /**
   * A path that the PROXY protocol reports is a socket of the proxy, and not one of this server.
   */
  private static boolean isTrusted(
      TrustedProxies trusted, SocketAddress peer, @Nullable ProxyInfo proxy) {
    boolean isForeign =
        peer instanceof UnixDomainSocketAddress && proxy != null && !proxy.isLocal();
    return !isForeign && trusted.peers().contains(peer);
  }

  /** Returns the value of a field that a proxy replaces; null if it isn't a single one. */
  private static @Nullable String only(Request request, String name) {
    List<String> values = request.headers(name);
    return values.size() == 1 ? values.getFirst() : null;
  }

  /** The way from the server to the client, along the proxies. */
  private static final class Walk {
    private final TrustedProxies trusted;
    private SocketAddress address;
    private @Nullable String scheme;
    private @Nullable String host;
    private int hops;
    private boolean ended;

    Walk(TrustedProxies trusted, SocketAddress peer) {
      this.trusted = trusted;
      this.address = peer;
    }

    /** Takes the entries of a field line, the last one first. */
    void take(String line) {
      int end = line.length();
      while (end >= 0 && !ended) {
        int start =
            trusted.isForwarded()
                ? ForwardedElement.start(line, end)
                : line.lastIndexOf(',', end - 1) + 1;
        if (start < 0) {
          ended = true;
          return;
        }
        String entry = line.substring(start, end).strip();
        if (!entry.isEmpty()) {
          takeEntry(entry);
        }
        end = start - 1;
      }
    }

    private void takeEntry(String entry) {
      String node = entry;
      if (trusted.isForwarded()) {
        ForwardedElement element = ForwardedElement.parse(entry);
        if (element == null) {
          ended = true;
          return;
        }
        takeScheme(element.proto());
        takeHost(element.host());
        node = element.node();
      }
      InetSocketAddress reported =
          node == null ? null : ForwardedElement.address(node, !trusted.isForwarded());
      hops++;
      if (reported != null) {
        address = reported;
      }
      ended = reported == null || hops == trusted.hopsMax() || !trusted.peers().contains(reported);
    }

    void takeScheme(@Nullable String reported) {
      String known =
          switch (reported == null ? "" : reported.toLowerCase(Locale.ROOT)) {
            case "http", "ws" -> TargetScheme.HTTP;
            case "https", "wss" -> TargetScheme.HTTPS;
            default -> null;
          };
      scheme = known == null ? scheme : known;
    }

    void takeHost(@Nullable String reported) {
      host = reported == null || !isHost(reported) ? host : reported;
    }
  }

  /** Returns true for a host name or an address, and possibly a port (RFC 9110 section 7.2). */
  static boolean isHost(String text) {
    if (text.length() > HOST_LENGTH_MAX) {
      return false;
    }
    int end = text.startsWith("[") ? text.indexOf(']') + 1 : text.indexOf(':');
    end = end < 0 ? text.length() : end;
    boolean hasName =
        text.startsWith("[")
            ? (end > 0 && IpLiteral.parseIpv6(text.substring(1, end - 1)) != null)
            : isName(text, end);
    return hasName
        && (end == text.length()
            || (text.charAt(end) == ':' && IpLiteral.parsePort(text.substring(end + 1)) >= 0));
  }

  private static boolean isName(String text, int end) {
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      boolean isLetterOrDigit =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!isLetterOrDigit && c != '-' && c != '.' && c != '_') {
        return false;
      }
    }
    return end > 0;
  }
}
