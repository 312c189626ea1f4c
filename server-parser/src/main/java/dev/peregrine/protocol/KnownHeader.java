package dev.peregrine.protocol;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Field names that a server and its users meet. Those up to {@link #X_REQUESTED_WITH} are
 * recognised in requests; the rest are for responses and are unknown names in a request.
 */
public enum KnownHeader {
  ACCEPT("Accept"),
  ACCEPT_CHARSET("Accept-Charset"),
  ACCEPT_ENCODING("Accept-Encoding"),
  ACCEPT_LANGUAGE("Accept-Language"),
  ACCESS_CONTROL_REQUEST_HEADERS("Access-Control-Request-Headers"),
  ACCESS_CONTROL_REQUEST_METHOD("Access-Control-Request-Method"),
  AUTHORIZATION("Authorization"),
  CACHE_CONTROL("Cache-Control"),
  CONNECTION("Connection"),
  CONTENT_DISPOSITION("Content-Disposition"),
  CONTENT_ENCODING("Content-Encoding"),
  CONTENT_LANGUAGE("Content-Language"),
  CONTENT_LENGTH("Content-Length"),
  CONTENT_LOCATION("Content-Location"),
  CONTENT_RANGE("Content-Range"),
  CONTENT_TYPE("Content-Type"),
  COOKIE("Cookie"),
  DATE("Date"),
  DNT("DNT"),
  EXPECT("Expect"),
  FORWARDED("Forwarded"),
  FROM("From"),
  HOST("Host"),
  IF_MATCH("If-Match"),
  IF_MODIFIED_SINCE("If-Modified-Since"),
  IF_NONE_MATCH("If-None-Match"),
  IF_RANGE("If-Range"),
  IF_UNMODIFIED_SINCE("If-Unmodified-Since"),
  KEEP_ALIVE("Keep-Alive"),
  LAST_EVENT_ID("Last-Event-ID"),
  MAX_FORWARDS("Max-Forwards"),
  ORIGIN("Origin"),
  PRAGMA("Pragma"),
  PRIORITY("Priority"),
  PROXY_AUTHORIZATION("Proxy-Authorization"),
  PROXY_CONNECTION("Proxy-Connection"),
  RANGE("Range"),
  REFERER("Referer"),
  SEC_CH_UA("Sec-CH-UA"),
  SEC_CH_UA_MOBILE("Sec-CH-UA-Mobile"),
  SEC_CH_UA_PLATFORM("Sec-CH-UA-Platform"),
  SEC_FETCH_DEST("Sec-Fetch-Dest"),
  SEC_FETCH_MODE("Sec-Fetch-Mode"),
  SEC_FETCH_SITE("Sec-Fetch-Site"),
  SEC_FETCH_USER("Sec-Fetch-User"),
  SEC_WEBSOCKET_EXTENSIONS("Sec-WebSocket-Extensions"),
  SEC_WEBSOCKET_KEY("Sec-WebSocket-Key"),
  SEC_WEBSOCKET_PROTOCOL("Sec-WebSocket-Protocol"),
  SEC_WEBSOCKET_VERSION("Sec-WebSocket-Version"),
  TE("TE"),
  TRACEPARENT("Traceparent"),
  TRACESTATE("Tracestate"),
  TRAILER("Trailer"),
  TRANSFER_ENCODING("Transfer-Encoding"),
  UPGRADE("Upgrade"),
  UPGRADE_INSECURE_REQUESTS("Upgrade-Insecure-Requests"),
  USER_AGENT("User-Agent"),
  VIA("Via"),
  X_FORWARDED_FOR("X-Forwarded-For"),
  X_FORWARDED_HOST("X-Forwarded-Host"),
  X_FORWARDED_PROTO("X-Forwarded-Proto"),
  X_REQUEST_ID("X-Request-ID"),
  X_REQUESTED_WITH("X-Requested-With"),

  ACCEPT_RANGES("Accept-Ranges"),
  ACCESS_CONTROL_ALLOW_HEADERS("Access-Control-Allow-Headers"),
  ACCESS_CONTROL_ALLOW_METHODS("Access-Control-Allow-Methods"),
  ACCESS_CONTROL_ALLOW_ORIGIN("Access-Control-Allow-Origin"),
  AGE("Age"),
  ALLOW("Allow"),
  CONTENT_SECURITY_POLICY("Content-Security-Policy"),
  ETAG("ETag"),
  EXPIRES("Expires"),
  LAST_MODIFIED("Last-Modified"),
  LINK("Link"),
  LOCATION("Location"),
  RETRY_AFTER("Retry-After"),
  SEC_WEBSOCKET_ACCEPT("Sec-WebSocket-Accept"),
  SERVER("Server"),
  SET_COOKIE("Set-Cookie"),
  STRICT_TRANSPORT_SECURITY("Strict-Transport-Security"),
  VARY("Vary"),
  WWW_AUTHENTICATE("WWW-Authenticate");

  /** The last name that is recognised in a request. */
  private static final KnownHeader LAST_OF_REQUESTS = X_REQUESTED_WITH;

  private static final Map<String, KnownHeader> BY_LOWER_CASE_NAME = byLowerCaseName();

  private final String fieldName;

  KnownHeader(String fieldName) {
    this.fieldName = fieldName;
  }

  /** The name as it is usually written. */
  public String fieldName() {
    return fieldName;
  }

  /** Returns the names that are searched for in requests, each at its constant's ordinal. */
  public static List<String> namesRecognisedInRequests() {
    return Arrays.stream(values())
        .filter(KnownHeader::isRecognisedInRequests)
        .map(KnownHeader::fieldName)
        .toList();
  }

  /** Returns true if a request's field lines are searched for this name. */
  public boolean isRecognisedInRequests() {
    return compareTo(LAST_OF_REQUESTS) <= 0;
  }

  /** Returns the constant of a name in any case, or null if there is none. */
  public static @Nullable KnownHeader of(CharSequence name) {
    return BY_LOWER_CASE_NAME.get(name.toString().toLowerCase(Locale.ROOT));
  }

  private static Map<String, KnownHeader> byLowerCaseName() {
    var names = HashMap.<String, KnownHeader>newHashMap(values().length);
    for (KnownHeader header : values()) {
      names.put(header.fieldName.toLowerCase(Locale.ROOT), header);
    }
    return names;
  }
}
