package dev.peregrine.server.http2;

import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.http2.flow.ReceiveWindow;
import dev.peregrine.server.http2.frame.Setting;

/**
 * The windows for the content that a client sends (RFC 9113 section 5.2). That of a stream bounds
 * what waits in it for the application. That of the connection bounds what is under way: its bytes
 * are given back as they arrive, because content that waits in one stream would otherwise keep the
 * client from sending on the others.
 */
final class InboundWindows {
  private final Http2Connection owner;
  private final Http2 http2;
  private final WindowTuning tuning;
  private int connectionSize = Setting.WINDOW_DEFAULT;
  private int arrived; // bytes on the connection that were not given back
  private long takenBytes; // of content that doesn't wait
  private int growthLeft; // by which the windows of all streams may grow

  InboundWindows(Http2Connection owner, Http2 http2) {
    this.owner = owner;
    this.http2 = http2;
    this.tuning = new WindowTuning(owner, http2.settings);
    this.growthLeft = http2.settings.windowMax() - http2.settings.streamWindow();
  }

  /** Begins with the windows of this server. Returns by how much that of the connection grows. */
  int begin() {
    int growth = tuning.connectionSize() - connectionSize;
    connectionSize += growth;
    return growth;
  }

  /** Counts bytes that arrive on the connection, and gives them back. */
  void receive(int bytes) {
    int growth = tuning.connectionSize() - connectionSize;
    connectionSize += growth;
    arrived += bytes + growth;
    if (arrived >= connectionSize / 2) {
      http2.control.windowUpdate(owner.connection().out(), 0, arrived);
      arrived = 0;
    }
  }

  /** Gives bytes back to a stream, which don't wait in it. */
  void giveBack(Http2Stream stream, int bytes) {
    Connection connection = owner.connection();
    takenBytes += bytes;
    if (bytes == 0 || !connection.isOpen() || stream.isClosed() || stream.inbound.isEndReceived()) {
      return;
    }
    ReceiveWindow window = stream.inbound.window;
    growthLeft -= window.grow(Math.min(tuning.streamSize() - window.size(), growthLeft));
    int increment = window.take(bytes);
    if (increment > 0) {
      http2.control.windowUpdate(connection.out(), stream.id(), increment);
    }
    tuning.onTaken(bytes, increment > 0);
  }

  /** Returns the bytes of content that were given back to streams so far. */
  long takenBytes() {
    return takenBytes;
  }

  /** A stream ends: others may grow by what it has grown by. */
  void onEnd(Http2Stream stream) {
    growthLeft += stream.inbound.window.size() - http2.settings.streamWindow();
  }

  /** A PING that measures a round trip was acknowledged. Returns false if none was sent. */
  boolean onAcknowledged() {
    return tuning.onAcknowledged();
  }
}
