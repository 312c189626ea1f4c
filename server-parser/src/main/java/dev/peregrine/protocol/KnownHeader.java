package dev.peregrine.protocol;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Field names that servers and applications use. Those up to {@link #X_REQUESTED_WITH} are
 * recognised in requests; the rest are for responses and are unknown names in a request.
 */
public enum KnownHeader {
  ACCEPT(HeaderName.ACCEPT),
  ACCEPT_CHARSET(HeaderName.ACCEPT_CHARSET),
  ACCEPT_ENCODING(HeaderName.ACCEPT_ENCODING),
  ACCEPT_LANGUAGE(HeaderName.ACCEPT_LANGUAGE),
  ACCESS_CONTROL_REQUEST_HEADERS(HeaderName.ACCESS_CONTROL_REQUEST_HEADERS),
  ACCESS_CONTROL_REQUEST_METHOD(HeaderName.ACCESS_CONTROL_REQUEST_METHOD),
  AUTHORIZATION(HeaderName.AUTHORIZATION),
  CACHE_CONTROL(HeaderName.CACHE_CONTROL),
  CONNECTION(HeaderName.CONNECTION),
  CONTENT_DISPOSITION(HeaderName.CONTENT_DISPOSITION),
  CONTENT_ENCODING(HeaderName.CONTENT_ENCODING),
  CONTENT_LANGUAGE(HeaderName.CONTENT_LANGUAGE),
  CONTENT_LENGTH(HeaderName.CONTENT_LENGTH),
  CONTENT_LOCATION(HeaderName.CONTENT_LOCATION),
  CONTENT_RANGE(HeaderName.CONTENT_RANGE),
  CONTENT_TYPE(HeaderName.CONTENT_TYPE),
  COOKIE(HeaderName.COOKIE),
  DATE(HeaderName.DATE),
  DNT(HeaderName.DNT),
  EXPECT(HeaderName.EXPECT),
  FORWARDED(HeaderName.FORWARDED),
  FROM(HeaderName.FROM),
  HOST(HeaderName.HOST),
  IF_MATCH(HeaderName.IF_MATCH),
  IF_MODIFIED_SINCE(HeaderName.IF_MODIFIED_SINCE),
  IF_NONE_MATCH(HeaderName.IF_NONE_MATCH),
  IF_RANGE(HeaderName.IF_RANGE),
  IF_UNMODIFIED_SINCE(HeaderName.IF_UNMODIFIED_SINCE),
  KEEP_ALIVE(HeaderName.KEEP_ALIVE),
  LAST_EVENT_ID(HeaderName.LAST_EVENT_ID),
  MAX_FORWARDS(HeaderName.MAX_FORWARDS),
  ORIGIN(HeaderName.ORIGIN),
  PRAGMA(HeaderName.PRAGMA),
  PRIORITY(HeaderName.PRIORITY),
  PROXY_AUTHORIZATION(HeaderName.PROXY_AUTHORIZATION),
  PROXY_CONNECTION(HeaderName.PROXY_CONNECTION),
  RANGE(HeaderName.RANGE),
  REFERER(HeaderName.REFERER),
  SEC_CH_UA(HeaderName.SEC_CH_UA),
  SEC_CH_UA_MOBILE(HeaderName.SEC_CH_UA_MOBILE),
  SEC_CH_UA_PLATFORM(HeaderName.SEC_CH_UA_PLATFORM),
  SEC_FETCH_DEST(HeaderName.SEC_FETCH_DEST),
  SEC_FETCH_MODE(HeaderName.SEC_FETCH_MODE),
  SEC_FETCH_SITE(HeaderName.SEC_FETCH_SITE),
  SEC_FETCH_USER(HeaderName.SEC_FETCH_USER),
  SEC_WEBSOCKET_EXTENSIONS(HeaderName.SEC_WEBSOCKET_EXTENSIONS),
  SEC_WEBSOCKET_KEY(HeaderName.SEC_WEBSOCKET_KEY),
  SEC_WEBSOCKET_PROTOCOL(HeaderName.SEC_WEBSOCKET_PROTOCOL),
  SEC_WEBSOCKET_VERSION(HeaderName.SEC_WEBSOCKET_VERSION),
  TE(HeaderName.TE),
  TRACEPARENT(HeaderName.TRACEPARENT),
  TRACESTATE(HeaderName.TRACESTATE),
  TRAILER(HeaderName.TRAILER),
  TRANSFER_ENCODING(HeaderName.TRANSFER_ENCODING),
  UPGRADE(HeaderName.UPGRADE),
  UPGRADE_INSECURE_REQUESTS(HeaderName.UPGRADE_INSECURE_REQUESTS),
  USER_AGENT(HeaderName.USER_AGENT),
  VIA(HeaderName.VIA),
  X_FORWARDED_FOR(HeaderName.X_FORWARDED_FOR),
  X_FORWARDED_HOST(HeaderName.X_FORWARDED_HOST),
  X_FORWARDED_PROTO(HeaderName.X_FORWARDED_PROTO),
  X_REQUEST_ID(HeaderName.X_REQUEST_ID),
  X_REQUESTED_WITH(HeaderName.X_REQUESTED_WITH),

  ACCEPT_RANGES(HeaderName.ACCEPT_RANGES),
  ACCESS_CONTROL_ALLOW_HEADERS(HeaderName.ACCESS_CONTROL_ALLOW_HEADERS),
  ACCESS_CONTROL_ALLOW_METHODS(HeaderName.ACCESS_CONTROL_ALLOW_METHODS),
  ACCESS_CONTROL_ALLOW_ORIGIN(HeaderName.ACCESS_CONTROL_ALLOW_ORIGIN),
  AGE(HeaderName.AGE),
  ALLOW(HeaderName.ALLOW),
  CONTENT_SECURITY_POLICY(HeaderName.CONTENT_SECURITY_POLICY),
  ETAG(HeaderName.ETAG),
  EXPIRES(HeaderName.EXPIRES),
  LAST_MODIFIED(HeaderName.LAST_MODIFIED),
  LINK(HeaderName.LINK),
  LOCATION(HeaderName.LOCATION),
  RETRY_AFTER(HeaderName.RETRY_AFTER),
  SEC_WEBSOCKET_ACCEPT(HeaderName.SEC_WEBSOCKET_ACCEPT),
  SERVER(HeaderName.SERVER),
  SET_COOKIE(HeaderName.SET_COOKIE),
  STRICT_TRANSPORT_SECURITY(HeaderName.STRICT_TRANSPORT_SECURITY),
  VARY(HeaderName.VARY),
  WWW_AUTHENTICATE(HeaderName.WWW_AUTHENTICATE);

  /** The last name that is recognised in a request. */
  private static final KnownHeader LAST_OF_REQUESTS = X_REQUESTED_WITH;

  private static final Map<String, KnownHeader> BY_LOWER_CASE_NAME = byLowerCaseName();

  private final String fieldName;

  KnownHeader(String fieldName) {
    this.fieldName = fieldName;
  }

  /** Returns the name as it is usually written. */
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

  /** Returns the constant of a name in any case, or null for an unknown name. */
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
