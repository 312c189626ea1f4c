package dev.peregrine.server.tls.jdk;

import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.server.tls.layer.TlsException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of the failures that an engine reports; its messages begin with the name of the alert.
 */
final class JdkFailures {
  private JdkFailures() {}

  static TlsException of(SSLException failure) {
    @Nullable String known = failure.getMessage();
    String message = known == null ? failure.toString() : known;
    return new TlsException(reason(message), message);
  }

  /** Returns the failure for an alert of the client. */
  static TlsException ofAlert(byte code) {
    String name = switch (code) { // RFC 8446 section 6
          case 40 -> "handshake_failure";
          case 42 -> "bad_certificate";
          case 43 -> "unsupported_certificate";
          case 44 -> "certificate_revoked";
          case 45 -> "certificate_expired";
          case 46 -> "certificate_unknown";
          case 48 -> "unknown_ca";
          default -> String.valueOf(Byte.toUnsignedInt(code));
        };
    return new TlsException(HandshakeFailure.CLIENT_ALERT, "received the alert " + name);
  }

  private static HandshakeFailure reason(String message) {
    if (message.contains("Received fatal alert")) {
      return HandshakeFailure.CLIENT_ALERT;
    }
    if (message.contains("client certificate")) { // of which TLS 1.2 has no alert
      return HandshakeFailure.CLIENT_CERTIFICATE;
    }
    if (message.contains("CertificateVerify")) { // the alert may be handshake_failure
      return HandshakeFailure.PROTOCOL_VIOLATION;
    }
    int end = message.indexOf(')');
    String alert = message.startsWith("(") && end > 0 ? message.substring(1, end) : "";
    return switch (alert) {
      case "no_application_protocol" -> HandshakeFailure.NO_APPLICATION_PROTOCOL;
      case "handshake_failure", "protocol_version", "insufficient_security" ->
          HandshakeFailure.NOTHING_IN_COMMON;
      case "bad_certificate",
          "unsupported_certificate",
          "certificate_revoked",
          "certificate_expired",
          "certificate_unknown",
          "certificate_required",
          "unknown_ca" ->
          HandshakeFailure.CLIENT_CERTIFICATE;
      case "internal_error" -> HandshakeFailure.INTERNAL;
      default -> HandshakeFailure.PROTOCOL_VIOLATION;
    };
  }
}
