package dev.peregrine.server.jfr;

import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.FailedHandshake;
import dev.peregrine.tls.TlsInfo;
import java.time.Duration;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A TLS handshake is complete, or failed. Has no host name, because the client chose it. */
@Name("dev.peregrine.Handshake")
@Label("Handshake")
@Category("Peregrine")
@StackTrace(false)
final class HandshakeEvent extends Event {
  @Label("Failure")
  @Description("Null if the handshake is complete")
  @Nullable String failure;

  @Label("Detail")
  @Nullable String detail;

  @Label("Version")
  @Nullable String version;

  @Label("Cipher Suite")
  @Nullable String cipherSuite;

  @Label("Application Protocol")
  @Nullable String applicationProtocol;

  @Label("Resumed")
  boolean resumed;

  @Label("Time")
  @Timespan(Timespan.NANOSECONDS)
  long time;

  @Label("Peer")
  @Nullable String peer;

  static void record(ConnectionInfo connection, TlsInfo tls, Duration time) {
    HandshakeEvent event = new HandshakeEvent();
    if (event.shouldCommit()) {
      event.version = tls.version();
      event.cipherSuite = tls.cipherSuite();
      event.applicationProtocol = tls.applicationProtocol();
      event.resumed = tls.isResumed();
      event.time = time.toNanos();
      event.peer = String.valueOf(connection.remoteAddress());
      event.commit();
    }
  }

  static void record(ConnectionInfo connection, FailedHandshake failed) {
    HandshakeEvent event = new HandshakeEvent();
    if (event.shouldCommit()) {
      event.failure = failed.reason().name();
      event.detail = failed.detail();
      event.time = failed.time().toNanos();
      event.peer = String.valueOf(connection.remoteAddress());
      event.commit();
    }
  }
}
