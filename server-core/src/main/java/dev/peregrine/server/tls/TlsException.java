package dev.peregrine.server.tls;

import java.io.IOException;

/** The end of a TLS session by a failure. Has no stack, because clients can cause it. */
public final class TlsException extends IOException {
  private static final long serialVersionUID = 1;

  /** The reasons for which a session is ended. */
  public enum Cause {
    /** The client sent something that TLS doesn't allow here. */
    PROTOCOL_VIOLATION,
    /** The client and the server have no version, suite or group in common. */
    NOTHING_IN_COMMON,
    /** The client offered application protocols (ALPN), none of them spoken here. */
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
   * A failure.
   *
   * @param message what happened, for the log: without control characters of the peer's
   */
  public TlsException(Cause reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Returns what kind of failure it is. */
  public Cause reason() {
    return reason;
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
