package dev.peregrine.protocol;

import dev.peregrine.protocol.grammar.Ascii;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Field names that servers and applications use. Those up to {@link #X_REQUESTED_WITH} are
 * recognised in requests. The others are those of responses, and those that few requests carry: a
 * request finds them by their text, like any other name.
 */
public enum KnownHeader {
  ACCEPT(HeaderName.ACCEPT),
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
  EXPECT(HeaderName.EXPECT),
  FORWARDED(HeaderName.FORWARDED),
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

  ACCEPT_CHARSET(HeaderName.ACCEPT_CHARSET),
  ACCEPT_RANGES(HeaderName.ACCEPT_RANGES),
  ACCESS_CONTROL_ALLOW_HEADERS(HeaderName.ACCESS_CONTROL_ALLOW_HEADERS),
  ACCESS_CONTROL_ALLOW_METHODS(HeaderName.ACCESS_CONTROL_ALLOW_METHODS),
  ACCESS_CONTROL_ALLOW_ORIGIN(HeaderName.ACCESS_CONTROL_ALLOW_ORIGIN),
  AGE(HeaderName.AGE),
  ALLOW(HeaderName.ALLOW),
  CONTENT_DIGEST(HeaderName.CONTENT_DIGEST),
  CONTENT_SECURITY_POLICY(HeaderName.CONTENT_SECURITY_POLICY),
  DNT(HeaderName.DNT),
  ETAG(HeaderName.ETAG),
  EXPIRES(HeaderName.EXPIRES),
  FROM(HeaderName.FROM),
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

  // Factors of a hash by which few names share a slot.
  private static final int OF_FIRST = 11;
  private static final int OF_LAST = 9;

  /** The names, each in the first free slot from its hash on; most slots are empty. */
  private static final @Nullable KnownHeader[] SLOTS = slots();

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

  /**
   * Returns the constant of a name, or null for an unknown name. Only ASCII letters are equal in
   * both cases. Allocates nothing for a String.
   */
  public static @Nullable KnownHeader of(CharSequence name) {
    int slot = slot(name, SLOTS.length);
    KnownHeader header = SLOTS[slot];
    while (header != null && !header.isNamed(name)) {
      slot = slot + 1 & SLOTS.length - 1;
      header = SLOTS[slot];
    }
    return header;
  }

  private boolean isNamed(CharSequence name) {
    if (fieldName.equals(name.toString())) { // the common case, and sooner
      return true;
    }
    if (name.length() != fieldName.length()) {
      return false;
    }
    for (int i = 0; i < fieldName.length(); i++) {
      if (lower(name.charAt(i)) != lower(fieldName.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable KnownHeader[] slots() {
    var slots = new @Nullable KnownHeader[4 * Integer.highestOneBit(values().length)];
    for (KnownHeader header : values()) {
      int slot = slot(header.fieldName, slots.length);
      while (slots[slot] != null) {
        slot = slot + 1 & slots.length - 1;
      }
      slots[slot] = header;
    }
    return slots;
  }

  /** Returns the first slot of a name: by its length and its first and last character. */
  private static int slot(CharSequence name, int slots) {
    int length = name.length();
    if (length == 0) {
      return 0;
    }
    int first = name.charAt(0) | Ascii.CASE_BIT;
    int last = name.charAt(length - 1) | Ascii.CASE_BIT;
    return OF_FIRST * first + OF_LAST * last + length & slots - 1;
  }

  private static int lower(char c) {
    return c >= 'A' && c <= 'Z' ? c | Ascii.CASE_BIT : c;
  }
}
