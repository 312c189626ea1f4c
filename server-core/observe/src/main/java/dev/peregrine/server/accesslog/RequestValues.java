package dev.peregrine.server.accesslog;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.server.observe.ExchangeInfo;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
  private final @Nullable AttributeKey<?> user;
  private final @Nullable AttributeKey<?> requestId;

  /**
   * Creates a writer.
   *
   * @param withQuery whether targets keep their query
   * @param user the attribute of the user; null if lines have none
   * @param requestId the attribute of the request's id; null if lines have none
   */
  RequestValues(
      boolean withQuery, @Nullable AttributeKey<?> user, @Nullable AttributeKey<?> requestId) {
    this.withQuery = withQuery;
    this.user = user;
    this.requestId = requestId;
  }

  /** Returns the user of a request; empty for none. */
  String user(ExchangeInfo exchange) {
    return text(exchange, user);
  }

  /** Returns true if lines have the ids of requests. */
  boolean hasRequestId() {
    return requestId != null;
  }

  /** Returns the number of values that lines have for attributes: 0 to 2. */
  int attributes() {
    return (user == null ? 0 : 1) + (requestId == null ? 0 : 1);
  }

  /** Returns the id of a request; empty for none. */
  String requestId(ExchangeInfo exchange) {
    return text(exchange, requestId);
  }

  private static <T> String text(ExchangeInfo exchange, @Nullable AttributeKey<T> key) {
    T value = key == null ? null : exchange.attribute(key);
    if (key == null || value == null) {
      return "";
    }
    try {
      return Objects.requireNonNullElse(key.text(value), "");
    } catch (RuntimeException broken) {
      return ""; // a line without it is better than none
    }
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

  /** Appends a text of the application, in UTF-8; spaces are escaped, because they end a field. */
  static void word(String text, Line line, int later) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    int fitting = Math.min(utf8.length, line.bytes.length - line.length);
    System.arraycopy(utf8, 0, line.bytes, line.length, fitting);
    line.acceptWord(fitting, later);
  }

  /** Appends the method. */
  static void method(ExchangeInfo exchange, Line line, int later) {
    HttpMethod method = exchange.method();
    if (method == HttpMethod.OTHER) {
      line.accept(exchange.copyMethod(line.bytes, line.length), later);
    } else {
      line.text(LogTexts.name(METHODS, method));
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
