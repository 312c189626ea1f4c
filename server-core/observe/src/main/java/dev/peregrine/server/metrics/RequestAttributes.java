package dev.peregrine.server.metrics;

import dev.peregrine.http.Outcome;
import dev.peregrine.http.context.RpcStatus;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ExchangeInfo;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The attributes of a request, except its route, packed into an int:
 *
 * <pre>
 *   27    23 22    17 16     7 6     5 4     4 3     0
 *   [ call  ][ error ][ status ][version][https ][method ]
 * </pre>
 *
 * The error is 0 for none, an {@link Outcome}, or a {@link CloseReason} after these. The call is 0
 * for none, or one more than an {@link RpcStatus}.
 */
@SuppressWarnings("EnumOrdinal") // indices of counters and bits, never kept
final class RequestAttributes {
  static final Map<String, String> OVERFLOW = Map.of("otel.metric.overflow", "true");

  private static final String ERROR = "error.type";
  private static final String METHOD = "http.request.method";
  private static final String SCHEME = "url.scheme";

  private static final HttpMethod[] METHODS = HttpMethod.values();
  private static final HttpVersion[] VERSIONS = HttpVersion.values();
  private static final Outcome[] OUTCOMES = Outcome.values();
  private static final CloseReason[] REASONS = CloseReason.values();

  private static final int SECURE_SHIFT = 4;
  private static final int VERSION_SHIFT = 5;
  private static final int STATUS_SHIFT = 7;
  private static final int ERROR_SHIFT = 17;
  private static final int CALL_SHIFT = 23;

  /** The number of combinations of method and scheme, see {@link #methodAndScheme}. */
  static final int METHODS_AND_SCHEMES = 1 << VERSION_SHIFT;

  private RequestAttributes() {}

  /** Returns the method and the scheme, 0 to {@link #METHODS_AND_SCHEMES} - 1. */
  static int methodAndScheme(ExchangeInfo exchange) {
    int secure = exchange.scheme().equals("https") ? 1 : 0;
    return exchange.method().ordinal() | secure << SECURE_SHIFT;
  }

  /** Returns the attributes of an exchange that has ended. */
  static int of(ExchangeInfo exchange, int methodAndScheme) {
    return methodAndScheme
        | exchange.version().ordinal() << VERSION_SHIFT
        | exchange.status() << STATUS_SHIFT
        | error(exchange) << ERROR_SHIFT
        | ((RpcStatus.code(exchange.attribute(RpcStatus.CODE)) + 1) << CALL_SHIFT);
  }

  private static int error(ExchangeInfo exchange) {
    Outcome outcome = exchange.outcome();
    if (outcome == null || outcome == Outcome.COMPLETED) {
      return 0;
    }
    CloseReason reason = exchange.closeReason();
    if (reason != null) {
      return OUTCOMES.length + reason.ordinal();
    }
    boolean answered = outcome == Outcome.REJECTED && exchange.status() != 0;
    return answered ? 0 : outcome.ordinal(); // COMPLETED is the one at 0
  }

  /** Returns true if packed numbers name a method: not all of them do. */
  static boolean isMethodAndScheme(int packed) {
    return (packed & METHODS_AND_SCHEMES / 2 - 1) < METHODS.length;
  }

  /** Returns the attributes of active requests. */
  static Map<String, String> unpackMethodAndScheme(int packed) {
    Map<String, String> all = new LinkedHashMap<>();
    addMethodAndScheme(packed, all);
    return Collections.unmodifiableMap(all);
  }

  /** Returns the attributes of a series. */
  static Map<String, String> unpack(SeriesKey key) {
    int packed = key.attributes;
    Map<String, String> all = new LinkedHashMap<>();
    addMethodAndScheme(packed, all);
    if (key.route != null) {
      all.put("http.route", key.route);
    }
    int status = packed >> STATUS_SHIFT & 0x3FF;
    if (status != 0) {
      all.put("http.response.status_code", Integer.toString(status));
    }
    int version = packed >> VERSION_SHIFT & 3;
    all.put("network.protocol.version", versionText(VERSIONS[version]));
    int call = packed >> CALL_SHIFT;
    if (call != 0) {
      all.put("rpc.grpc.status_code", Integer.toString(call - 1));
    }
    int error = packed >> ERROR_SHIFT & 0x3F;
    if (error != 0) {
      int reason = error - OUTCOMES.length;
      all.put(ERROR, text(reason < 0 ? OUTCOMES[error] : REASONS[reason]));
    } else if (status >= 500) {
      all.put(ERROR, Integer.toString(status));
    }
    return Collections.unmodifiableMap(all);
  }

  private static void addMethodAndScheme(int packed, Map<String, String> all) {
    HttpMethod method = METHODS[packed & (1 << SECURE_SHIFT) - 1];
    all.put(METHOD, method == HttpMethod.OTHER ? "_OTHER" : method.name());
    all.put(SCHEME, (packed >> SECURE_SHIFT & 1) == 1 ? "https" : "http");
  }

  private static String versionText(HttpVersion version) {
    return switch (version) {
      case HTTP_1_0 -> "1.0";
      case HTTP_1_1 -> "1.1";
      case HTTP_2 -> "2";
    };
  }

  /** Returns the attribute for a constant: {@code CLIENT_RESET} is {@code client_reset}. */
  static String text(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the attribute for the reason of a failure. */
  static Map<String, String> error(String type) {
    return Map.of(ERROR, type);
  }

  /** Returns the attributes of closes for a reason; the orderly ones are not errors. */
  static Map<String, String> close(CloseReason reason) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("peregrine.close.reason", text(reason));
    switch (reason) {
      case CLIENT_CLOSED, IDLE, LAST_RESPONSE, APPLICATION_CLOSED, SHUTDOWN -> {}
      default -> all.put(ERROR, text(reason));
    }
    return Collections.unmodifiableMap(all);
  }
}
