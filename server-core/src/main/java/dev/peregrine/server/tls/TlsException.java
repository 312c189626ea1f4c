package dev.peregrine.server.tls;

import java.io.IOException;

/** The end of a TLS session by a failure. Has no stack, because clients can cause it. */
public final class TlsException extends IOException {
  private static final long serialVersionUID = 1;

  /** The reasons for which a session is ended. */
  public enum Cause {
    /** The client violated TLS. */
    PROTOCOL_VIOLATION,
    /** The client and the server have no version, suite or group in common. */
    NOTHING_IN_COMMON,
    /** The client offered only application protocols (ALPN) that the server doesn't support. */
    NO_APPLICATION_PROTOCOL,
    /** The client's certificate is missing or isn't accepted. */
    CLIENT_CERTIFICATE,
    /** The client sent a fatal alert. */
    CLIENT_ALERT,
    /** The engine failed. */
    INTERNAL
  }

  private final Cause reason;

  /**
   * Creates a failure.
   *
   * @param message a text for the log, without control characters of the peer
   */
  public TlsException(Cause reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Returns the kind of the failure. */
  public Cause reason() {
    return reason;
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
