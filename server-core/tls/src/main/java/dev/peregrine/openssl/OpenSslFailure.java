package dev.peregrine.openssl;

import static dev.peregrine.openssl.Downcall.call;

/**
 * The reason why a session has failed.
 *
 * @param text for the log, mostly OpenSSL's words, such as {@code no shared cipher}
 */
public record OpenSslFailure(Kind kind, String text) {
  /** Kinds of failures. */
  public enum Kind {
    /** The peer has violated the protocol. */
    PROTOCOL_VIOLATION,
    /** The peer offers no version, suite, group or signature that the server accepts. */
    NOTHING_IN_COMMON,
    /** The peer offers no application protocol that the server supports. */
    NO_APPLICATION_PROTOCOL,
    /** The peer's certificate is missing or not accepted. */
    PEER_CERTIFICATE,
    /** The peer has sent a fatal alert. */
    PEER_ALERT,
    /** The library has failed. */
    INTERNAL
  }

  /** The peer has ended its side before the handshake was complete, which leaves no error. */
  static final OpenSslFailure ENDED_EARLY =
      new OpenSslFailure(Kind.PROTOCOL_VIOLATION, "received close_notify during the handshake");

  private static final int LIBRARY_SHIFT = 23;
  private static final int LIBRARY_MASK = 0xFF;
  private static final int LIBRARY_SSL = 20;

  // The reason for a received alert is this number plus the alert's
  private static final int ALERT_FIRST = 1000;
  private static final int ALERT_LAST = 1255;

  /** Returns the failure of a code of the error queue. */
  static OpenSslFailure of(long code) {
    if (code == 0) {
      return new OpenSslFailure(Kind.INTERNAL, "no error is known");
    }
    Kind kind = kind(code);
    return new OpenSslFailure(
        kind, kind == Kind.PEER_ALERT ? describeAlert(code) : ErrorQueue.describe(code));
  }

  /** Returns a text with the name that RFC 8446 gives the alert. */
  private static String describeAlert(long code) {
    int alert = ErrorQueue.reason(code) - ALERT_FIRST;
    String name = Pointers.text(call(Functions.SSL_ALERT_DESC_STRING_LONG, alert));
    if (name == null || name.equals("unknown")) {
      name = String.valueOf(alert);
    }
    return "received the alert " + name.replace(' ', '_');
  }

  private static Kind kind(long code) {
    int reason = ErrorQueue.reason(code);
    if (((code >> LIBRARY_SHIFT) & LIBRARY_MASK) != LIBRARY_SSL) {
      return Kind.PROTOCOL_VIOLATION; // a certificate, key or number of the peer
    }
    if (reason >= ALERT_FIRST && reason <= ALERT_LAST) {
      return Kind.PEER_ALERT;
    }
    return switch (reason) {
      case 101,
          118,
          193,
          295,
          373,
          376,
          410, // no suitable or shared suite, group, signature
          166,
          252,
          258,
          396 -> // versions
          Kind.NOTHING_IN_COMMON;
      case 235 -> Kind.NO_APPLICATION_PROTOCOL;
      case 134, 199 -> Kind.PEER_CERTIFICATE; // verify failed, none sent
      default -> isInternal(reason) ? Kind.INTERNAL : Kind.PROTOCOL_VIOLATION;
    };
  }

  private static boolean isInternal(int reason) {
    int fatalAndCommon = 3 << 18;
    return (reason & fatalAndCommon) == fatalAndCommon; // out of memory, or an OpenSSL assertion
  }
}
