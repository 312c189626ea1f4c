package dev.peregrine.server.observe;

/** Why a TLS handshake failed. */
public enum HandshakeFailure {
  /** The client spoke HTTP without TLS; it was told so by a response 400. */
  PLAIN_HTTP("HTTP without TLS"),

  /** The client's first bytes were not TLS. */
  NOT_TLS("not TLS"),

  /** The client's first message was malformed, or larger than 64 KiB. */
  HELLO_INVALID("invalid ClientHello"),

  /** The client asked for a host name that there is no certificate for. */
  NAME_UNKNOWN("unknown host name"),

  /** The client and the server have no version, cipher suite or group in common. */
  NOTHING_IN_COMMON("no version, suite or group in common"),

  /** The client offered application protocols (ALPN) that aren't spoken here. */
  NO_APPLICATION_PROTOCOL("no application protocol in common"),

  /** The client's certificate is missing or isn't trusted. */
  CLIENT_CERTIFICATE("client certificate not accepted"),

  /** The client rejected the handshake by an alert: often it doesn't trust the certificate. */
  CLIENT_ALERT("rejected by the client"),

  /** The client closed or reset the connection. */
  CLIENT_GONE("closed by the client"),

  /** The handshake took longer than {@code ServerLimits.handshakeTime}. */
  TIMED_OUT("timed out"),

  /** The client sent something else that TLS doesn't allow. */
  PROTOCOL_VIOLATION("violation of TLS"),

  /** The engine failed. */
  INTERNAL("internal error");

  private final String text;

  HandshakeFailure(String text) {
    this.text = text;
  }

  /** Returns a few words for a log. */
  public String text() {
    return text;
  }
}
