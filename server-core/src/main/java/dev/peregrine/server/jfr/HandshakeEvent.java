package dev.peregrine.server.jfr;

import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.FailedHandshake;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A TLS handshake failed. Has no host name, because the client chose it. */
@Name("dev.peregrine.Handshake")
@Label("Failed Handshake")
@Category("Peregrine")
@StackTrace(false)
final class HandshakeEvent extends Event {
  @Label("Failure")
  @Nullable String failure;

  @Label("Detail")
  @Nullable String detail;

  @Label("Time")
  @Timespan(Timespan.NANOSECONDS)
  long time;

  @Label("Peer")
  @Nullable String peer;

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
