package dev.peregrine.server.tls.layer;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.layer.LayerFailedException;
import dev.peregrine.server.loop.BoundedLog;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.FailedHandshake;
import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.server.tls.hello.ClientHello;
import dev.peregrine.server.tls.hello.EarlyAnswers;
import dev.peregrine.server.tls.hello.HelloException;
import dev.peregrine.server.tls.hello.HelloReader;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** The state that a connection has only during its handshake: the ClientHello and its time. */
final class TlsHandshake {
  final HelloReader reader = new HelloReader();
  private final TlsLoop shared;
  private final long beganNanos;
  ClientHello hello = ClientHello.UNKNOWN;

  /** Begins a handshake. */
  TlsHandshake(TlsLoop shared) {
    this.shared = shared;
    this.beganNanos = shared.loop.readClock();
    shared.beginHandshake();
  }

  /**
   * Ends the handshake, in any way; once.
   *
   * @return how long it took, in nanoseconds
   */
  long end() {
    shared.endHandshake();
    return shared.loop.readClock() - beganNanos;
  }

  /**
   * Returns the exception that ends the connection during the handshake, and logs it, unless the
   * client has closed or reset a connection that it had only opened.
   */
  IOException failed(StreamSocket socket, Throwable cause) {
    if (cause instanceof IOException lost
        && !(lost instanceof HelloException)
        && !reader.hasBegun()) {
      return lost;
    }
    String message = String.valueOf(cause.getMessage());
    return switch (cause) {
      case HelloException early -> failed(socket, early.reason(), message);
      case TlsException late -> failed(socket, late.reason(), message);
      case IOException lost -> failed(socket, HandshakeFailure.CLIENT_GONE, message);
      default -> {
        shared.loop.report(Incident.CONNECTION_FAILED, cause);
        yield failed(socket, HandshakeFailure.INTERNAL, cause.toString());
      }
    };
  }

  /** Returns the exception that ends a connection after its handshake. */
  static IOException failedLater(Throwable cause) {
    if (cause instanceof TlsException) {
      Log.add(Level.DEBUG, Incident.CONNECTION_LOST, cause);
      return new LayerFailedException(CloseReason.TLS_FAILED, cause.toString());
    }
    return cause instanceof IOException lost ? lost : new IOException(cause);
  }

  private LayerFailedException failed(StreamSocket socket, HandshakeFailure reason, String detail) {
    Duration time = Duration.ofNanos(shared.loop.readClock() - beganNanos);
    FailedHandshake failed =
        new FailedHandshake(
            reason,
            detail,
            hello.serverName(),
            hello.versions(),
            hello.applicationProtocols(),
            time);
    log(socket, failed);
    return new LayerFailedException(failed, EarlyAnswers.contentBytes(reason));
  }

  /** Logs it. Checks of health end like clients that go away, so those aren't logged by default. */
  private void log(StreamSocket socket, FailedHandshake failed) {
    if (failed.reason() == HandshakeFailure.CLIENT_GONE) {
      if (Log.isWritten(Level.DEBUG)) {
        Log.add(Level.DEBUG, describe(socket, failed));
      }
      return;
    }
    BoundedLog log = shared.log(failed.reason());
    if (log.reserve()) {
      log.add(describe(socket, failed));
    }
  }

  private String describe(StreamSocket socket, FailedHandshake failed) {
    return "TLS handshake with "
        + TlsLoop.remote(socket)
        + " failed after "
        + failed.time().toMillis()
        + " ms: "
        + failed.reason().text()
        + ", "
        + printable(failed.detail())
        + offer();
  }

  private String offer() {
    if (hello.equals(ClientHello.UNKNOWN)) {
      return "";
    }
    return "; asked for "
        + (hello.serverName() == null ? "no name" : hello.serverName())
        + ", offered "
        + hello.versions()
        + " "
        + hello.applicationProtocols();
  }

  private static String printable(String text) {
    return text.replaceAll("[^\\x20-\\x7E]", "?");
  }
}
