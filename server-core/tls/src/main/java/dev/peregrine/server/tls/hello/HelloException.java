package dev.peregrine.server.tls.hello;

import dev.peregrine.base.TimeText;
import dev.peregrine.server.observe.HandshakeFailure;
import java.io.IOException;
import java.time.Duration;

/**
 * A handshake that fails before an engine takes part in it, or takes too long. It has no stack,
 * because clients can cause it.
 */
public final class HelloException extends IOException {
  private static final long serialVersionUID = 1;

  /** In place of an alert: none is sent. */
  static final int NO_ALERT = -1;

  static final int DECODE_ERROR = 50; // RFC 8446 section 6
  static final int UNEXPECTED_MESSAGE = 10;
  static final int RECORD_OVERFLOW = 22;
  static final int ILLEGAL_PARAMETER = 47;
  public static final int UNRECOGNIZED_NAME = 112;

  private final HandshakeFailure reason;
  private final int alert;

  public HelloException(HandshakeFailure reason, int alert, String message) {
    super(message);
    this.reason = reason;
    this.alert = alert;
  }

  static HelloException invalid(int alert, String message) {
    return new HelloException(HandshakeFailure.HELLO_INVALID, alert, message);
  }

  public static HelloException late(long nanosMax) {
    String message =
        "not complete within " + TimeText.of(Duration.ofNanos(nanosMax)) + " (handshakeTime)";
    return new HelloException(HandshakeFailure.TIMED_OUT, NO_ALERT, message);
  }

  public HandshakeFailure reason() {
    return reason;
  }

  /** Returns the number of the alert to send, or {@link #NO_ALERT}. */
  int alert() {
    return alert;
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
