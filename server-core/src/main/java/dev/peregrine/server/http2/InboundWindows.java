package dev.peregrine.server.http2;

import dev.peregrine.server.connection.Connection;
import org.jspecify.annotations.Nullable;

/**
 * The windows for the content that a client sends (RFC 9113 section 5.2): gives back the bytes that
 * were taken or dropped, those of the connection also for streams that have ended.
 */
final class InboundWindows {
  private final Http2Connection owner;
  private final Http2 http2;
  private final ReceiveWindow window = new ReceiveWindow();
  private final WindowTuning tuning;

  InboundWindows(Http2Connection owner, Http2 http2) {
    this.owner = owner;
    this.http2 = http2;
    this.tuning = new WindowTuning(owner, http2.settings);
    window.begin(Setting.WINDOW_DEFAULT);
  }

  /** Begins with the windows of this server. Returns by how much that of the connection grows. */
  int begin() {
    int bytes = http2.settings.connectionWindow();
    window.begin(bytes);
    return bytes - Setting.WINDOW_DEFAULT;
  }

  /** Counts bytes that have arrived. Returns false if they are more than the window permits. */
  boolean receive(int bytes) {
    return window.receive(bytes);
  }

  /** Returns true if the client may send no content, because what it has sent isn't taken. */
  boolean isExhausted() {
    return window.isExhausted();
  }

  /** Gives bytes back on the connection and on a stream; null for one that has ended. */
  void giveBack(@Nullable Http2Stream stream, int bytes) {
    Connection connection = owner.connection();
    if (bytes == 0 || !connection.isOpen()) {
      return;
    }
    window.grow(tuning.connectionSize());
    int increment = window.take(bytes);
    if (increment > 0) {
      http2.control.windowUpdate(connection.out(), 0, increment);
    }
    if (stream == null || stream.isClosed() || stream.inbound.isEndReceived()) {
      return;
    }
    ReceiveWindow own = stream.inbound.window;
    own.grow(tuning.streamSize());
    int ownIncrement = own.take(bytes);
    if (ownIncrement > 0) {
      http2.control.windowUpdate(connection.out(), stream.id(), ownIncrement);
    }
    tuning.onTaken(bytes, ownIncrement > 0);
  }

  /** A PING that measures a round trip was acknowledged. Returns false if none was sent. */
  boolean onAcknowledged() {
    return tuning.onAcknowledged();
  }
}
