package dev.peregrine.http.context;

import dev.peregrine.base.AddressText;
import dev.peregrine.http.Outcome;
import dev.peregrine.http.Request;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a request by OpenTelemetry's semantic conventions for HTTP servers (stable),
 * for those who make spans of requests.
 *
 * <p>Values that a client has sent are as long as its request head permits.
 */
public final class SpanAttributes {
  private static final String OTHER = "_OTHER";
  private static final int SERVER_ERROR = 500;

  /** Parameters of signed addresses, whose values give access. */
  private static final Set<String> SECRETS =
      Set.of(
          "AWSAccessKeyId",
          "Signature",
          "sig",
          "X-Amz-Credential",
          "X-Amz-Security-Token",
          "X-Amz-Signature",
          "X-Goog-Signature");

  /** Takes attributes one by one. */
  public interface Sink {
    /** Takes an attribute whose value is a text. */
    void put(String name, String value);

    /** Takes an attribute whose value is a number. */
    void put(String name, long value);
  }

  private SpanAttributes() {}

  /**
   * Passes on what is known before a handler runs: method, scheme, path, query, the host that the
   * client names, the client as {@link Request#remoteAddress} has it, the peer, the version of HTTP
   * and the user agent. Values of parameters that sign an address are replaced by {@code REDACTED}.
   */
  public static void begin(Request request, Sink sink) {
    sink.put("http.request.method", method(request));
    if (request.method() == HttpMethod.OTHER) {
      sink.put("http.request.method_original", request.methodName());
    }
    String scheme = request.scheme();
    sink.put("url.scheme", scheme);
    sink.put("url.path", request.path());
    String query = request.query();
    if (query != null) {
      sink.put("url.query", redact(query));
    }
    String host = request.host();
    if (host != null && !host.isEmpty()) {
      putServer(host, scheme, sink);
    }
    putAddress("client.address", null, request.remoteAddress(), sink);
    putAddress("network.peer.address", "network.peer.port", request.peerAddress(), sink);
    sink.put("network.protocol.version", version(request.version()));
    String agent = request.header(HeaderName.USER_AGENT);
    if (agent != null) {
      sink.put("user_agent.original", agent);
    }
  }

  /** Returns the method; {@code _OTHER} if it is not one of RFC 9110 or PATCH. */
  public static String method(Request request) {
    HttpMethod method = request.method();
    return method == HttpMethod.OTHER ? OTHER : method.name();
  }

  /**
   * Returns the name of a span: {@code GET /users/{id}}, or the method alone before a route has
   * matched. A method without a constant is {@code HTTP}.
   */
  public static String spanName(Request request) {
    HttpMethod method = request.method();
    String name = method == HttpMethod.OTHER ? "HTTP" : method.name();
    String route = request.routeTemplate();
    return route == null ? name : name + " " + route;
  }

  /**
   * Returns the error that an exchange has ended with: the outcome in lower case if the response is
   * not what the handler intended, otherwise a status from 500 on; null for none. Faults of the
   * client that it was answered are not errors of the server.
   *
   * @param status that was sent; 0 if none was
   */
  public static @Nullable String errorType(int status, Outcome outcome) {
    boolean answered = outcome == Outcome.REJECTED && status != 0;
    if (outcome != Outcome.COMPLETED && !answered) {
      return outcome.name().toLowerCase(Locale.ROOT);
    }
    return status >= SERVER_ERROR ? Integer.toString(status) : null;
  }

  private static String version(HttpVersion version) {
    return switch (version) {
      case HTTP_1_0 -> "1.0";
      case HTTP_1_1 -> "1.1";
      case HTTP_2 -> "2";
    };
  }

  private static void putServer(String host, String scheme, Sink sink) {
    int colon = host.lastIndexOf(':');
    boolean hasPort = colon > host.lastIndexOf(']');
    String name = hasPort ? host.substring(0, colon) : host;
    boolean bracketed = name.startsWith("[") && name.endsWith("]");
    sink.put("server.address", bracketed ? name.substring(1, name.length() - 1) : name);
    int port = hasPort ? port(host, colon + 1) : -1;
    if (port < 0) {
      port = scheme.equals("https") ? 443 : 80;
    }
    sink.put("server.port", port);
  }

  /** Returns the number in a text; -1 if it is empty or not a port. */
  private static int port(String text, int from) {
    int port = from == text.length() ? -1 : 0;
    for (int i = from; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      port = digit < 0 || digit > 9 ? -1 : port * 10 + digit;
      if (port < 0 || port > 0xFFFF) {
        return -1;
      }
    }
    return port;
  }

  private static void putAddress(
      String name, @Nullable String portName, SocketAddress address, Sink sink) {
    if (!(address instanceof InetSocketAddress inet) || inet.getAddress() == null) {
      return; // a Unix domain socket, whose client has no name
    }
    sink.put(name, new String(AddressText.of(inet), StandardCharsets.US_ASCII));
    if (portName != null) {
      sink.put(portName, inet.getPort());
    }
  }

  /** Replaces the values of parameters that give access to whoever knows them. */
  static String redact(String query) {
    StringBuilder redacted = null;
    int from = 0;
    while (from < query.length()) {
      int end = query.indexOf('&', from);
      int to = end < 0 ? query.length() : end;
      int equals = query.indexOf('=', from);
      boolean secret =
          equals >= 0 && equals < to && SECRETS.contains(query.substring(from, equals));
      if (secret && redacted == null) {
        redacted = new StringBuilder(query.length()).append(query, 0, from);
      }
      if (redacted != null) {
        redacted.append(query, from, secret ? equals + 1 : to).append(secret ? "REDACTED" : "");
        redacted.append(end < 0 ? "" : "&");
      }
      from = to + 1;
    }
    return redacted == null ? query : redacted.toString();
  }
}
