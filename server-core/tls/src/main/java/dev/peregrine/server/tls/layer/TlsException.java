package dev.peregrine.server.tls.layer;

import dev.peregrine.server.observe.HandshakeFailure;
import java.io.IOException;

/** The end of a TLS session by a failure. Has no stack, because clients can cause it. */
public final class TlsException extends IOException {
  private static final long serialVersionUID = 1;

  private final HandshakeFailure reason;

  /**
   * Creates a failure.
   *
   * @param reason in the words of a handshake, also if that is over
   * @param message a text for the log, without control characters of the peer
   */
  public TlsException(HandshakeFailure reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Returns the reason. */
  public HandshakeFailure reason() {
    return reason;
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
