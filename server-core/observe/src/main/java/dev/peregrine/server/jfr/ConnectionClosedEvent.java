package dev.peregrine.server.jfr;

import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ConnectionInfo;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A connection was closed. Its duration begins when it was opened. */
@Name("dev.peregrine.ConnectionClosed")
@Label("Connection Closed")
@Category("Peregrine")
@StackTrace(false)
final class ConnectionClosedEvent extends Event {
  @Label("Transport")
  @Nullable String transport;

  @Label("Protocol")
  @Description("The version of HTTP of the last recorded request; null without one")
  @Nullable String protocol;

  @Label("Peer")
  @Nullable String peer;

  @Label("Requests")
  long requests;

  @Label("Bytes Received")
  @DataAmount
  long bytesReceived;

  @Label("Bytes Sent")
  @DataAmount
  long bytesSent;

  @Label("Close Reason")
  @Nullable String closeReason;

  @Label("Partial")
  @Description("Opened before the recording: duration and counts may begin later")
  boolean partial;

  void fill(ConnectionInfo connection, CloseReason reason) {
    peer = String.valueOf(connection.remoteAddress());
    requests = connection.requests();
    bytesReceived = connection.bytesReceived();
    bytesSent = connection.bytesSent();
    closeReason = reason.name();
  }
}
