package dev.peregrine.server.accesslog;

import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.server.observe.ExchangeInfo;

/**
 * Writes the parts of a request that formats have in common. The parameter {@code later} is that of
 * {@link Line#accept}.
 */
final class RequestValues {
  private static final byte[][] METHODS = LogTexts.names(HttpMethod.values());
  private static final byte[] HTTP_1_0 = LogTexts.bytes("HTTP/1.0");
  private static final byte[] HTTP_1_1 = LogTexts.bytes("HTTP/1.1");
  private static final byte[] HTTP_2 = LogTexts.bytes("HTTP/2.0");

  private final boolean withQuery;

  /** Creates a writer of values that have their query, or don't. */
  RequestValues(boolean withQuery) {
    this.withQuery = withQuery;
  }

  /** Appends the request target. */
  void target(ExchangeInfo exchange, Line line, int later) {
    uri(exchange.copyTarget(line.bytes, line.length), line, later);
  }

  /** Appends Referer; returns false if the request has none. */
  boolean referer(ExchangeInfo exchange, Line line, int later) {
    int copied = exchange.copyRequestHeader(KnownHeader.REFERER, line.bytes, line.length);
    if (copied > 0) {
      uri(copied, line, later);
    }
    return copied > 0;
  }

  private void uri(int copied, Line line, int later) {
    line.accept(withQuery ? copied : line.lengthBefore('?', copied), later);
  }

  /** Appends a field; returns false if the request has none, or an empty one. */
  static boolean field(ExchangeInfo exchange, KnownHeader name, Line line, int later) {
    int copied = exchange.copyRequestHeader(name, line.bytes, line.length);
    if (copied > 0) {
      line.accept(copied, later);
    }
    return copied > 0;
  }

  /** Appends the method. */
  static void method(ExchangeInfo exchange, Line line, int later) {
    HttpMethod method = exchange.method();
    if (method == HttpMethod.OTHER) {
      line.accept(exchange.copyMethod(line.bytes, line.length), later);
    } else {
      Line ignored = line.text(LogTexts.name(METHODS, method));
    }
  }

  /** Returns the version of HTTP as other servers log it. */
  static byte[] protocol(HttpVersion version) {
    return switch (version) {
      case HTTP_1_0 -> HTTP_1_0;
      case HTTP_1_1 -> HTTP_1_1;
      case HTTP_2 -> HTTP_2;
    };
  }
}
