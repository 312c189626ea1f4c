package dev.peregrine.spring;

import dev.peregrine.http.Request;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** The target URI of a request (RFC 9110 section 7.1). */
final class RequestUri {
  private static final int TYPICAL_LENGTH = 64;

  private RequestUri() {}

  /**
   * Returns the URI.
   *
   * @throws URISyntaxException if the target has characters that a URI can't have
   */
  static URI of(Request request) throws URISyntaxException {
    StringBuilder text = new StringBuilder(TYPICAL_LENGTH);
    text.append(request.scheme()).append("://");
    appendAuthority(request, text);
    String path = request.path();
    if (path.startsWith("/")) {
      text.append(path);
    } // otherwise it is * or an authority, which has no path
    String query = request.query();
    if (query != null) {
      text.append('?').append(query);
    }
    return new URI(text.toString());
  }

  private static void appendAuthority(Request request, StringBuilder text) {
    @Nullable String host = request.host();
    if (host != null && !host.isEmpty()) {
      text.append(host);
      return;
    }
    SocketAddress local = request.localAddress();
    if (local instanceof InetSocketAddress internet) {
      String name = internet.getHostString();
      boolean isIpv6 = name.indexOf(':') >= 0;
      text.append(isIpv6 ? "[" : "").append(name).append(isIpv6 ? "]" : "");
      text.append(':').append(internet.getPort());
    } else {
      text.append("localhost");
    }
  }
}
