package dev.peregrine.server.observe;

/** The reasons for which a TLS handshake fails. */
public enum HandshakeFailure {
  /** The client used HTTP without TLS. It got a 400 response. */
  PLAIN_HTTP("HTTP without TLS"),

  /** The client's first bytes were not TLS. */
  NOT_TLS("not TLS"),

  /** The client's first message was malformed, or larger than 64 KiB. */
  HELLO_INVALID("invalid ClientHello"),

  /** The client requested a host name without a certificate. */
  NAME_UNKNOWN("unknown host name"),

  /** The client and the server have no version, cipher suite or group in common. */
  NOTHING_IN_COMMON("no version, suite or group in common"),

  /** The client offered only application protocols (ALPN) that the server doesn't support. */
  NO_APPLICATION_PROTOCOL("no application protocol in common"),

  /** The client's certificate is missing or isn't trusted. */
  CLIENT_CERTIFICATE("client certificate not accepted"),

  /** The client rejected the handshake by an alert: often it doesn't trust the certificate. */
  CLIENT_ALERT("rejected by the client"),

  /**
   * The client closed or reset the connection after its first byte, as some checks of health do.
   * The log has it at the level DEBUG only.
   */
  CLIENT_GONE("closed by the client"),

  /** The handshake took longer than {@code ServerLimits.handshakeTime}. */
  TIMED_OUT("timed out"),

  /** The client violated TLS in another way. */
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
