package dev.peregrine.server.jfr;

import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.observe.RejectedRequest;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The server answered with an error to bytes that did not become a request. */
@Name("dev.peregrine.Rejection")
@Label("Rejection")
@Category("Peregrine")
@StackTrace(false)
final class RejectionEvent extends Event {
  @Label("Rule")
  @Description("The rule or limit that the bytes broke; null for a head that was late or cut short")
  @Nullable String rule;

  @Label("Reason")
  @Nullable String reason;

  @Label("Status")
  int status;

  @Label("Bytes Received")
  @Description("On this connection, since the recording has begun")
  @DataAmount
  long bytesReceived;

  @Label("Peer")
  @Nullable String peer;

  static void record(RejectedRequest rejected) {
    RejectionEvent event = new RejectionEvent();
    if (event.shouldCommit()) {
      Rejection broken = rejected.rejection();
      event.rule = broken == null ? null : broken.name();
      event.reason = rejected.reason();
      event.status = rejected.status();
      event.bytesReceived = rejected.connection().bytesReceived();
      event.peer = String.valueOf(rejected.connection().remoteAddress());
      event.commit();
    }
  }
}
