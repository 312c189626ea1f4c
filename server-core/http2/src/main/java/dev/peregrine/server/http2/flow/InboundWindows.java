package dev.peregrine.server.http2.flow;

import dev.peregrine.server.http2.frame.Control;
import dev.peregrine.server.http2.frame.LocalSettings;
import dev.peregrine.server.http2.frame.Setting;
import dev.peregrine.server.http2.head.HeadTarget;

/**
 * The windows for the content that a client sends (RFC 9113 section 5.2). That of a stream bounds
 * what waits in it for the application. That of the connection bounds what is under way: its bytes
 * are given back as they arrive, because content that waits in one stream would otherwise keep the
 * client from sending on the others.
 */
public final class InboundWindows {
  private static final long PING_DATA = 0x77_69_6e_64_6f_77_00_01L; // any value

  private final Control control;
  private final HeadTarget target;
  private final WindowTuning tuning;
  private final int streamWindow;
  private int connectionSize = Setting.WINDOW_DEFAULT;
  private int arrived; // bytes on the connection that were not given back
  private long takenBytes; // of content that doesn't wait
  private int growthLeft; // by which the windows of all streams may grow

  public InboundWindows(Control control, HeadTarget target, LocalSettings settings) {
    this.control = control;
    this.target = target;
    this.tuning = new WindowTuning(settings);
    this.streamWindow = settings.streamWindow();
    this.growthLeft = settings.windowMax() - streamWindow;
  }

  /** Begins with the windows of this server. Returns by how much that of the connection grows. */
  public int begin() {
    int growth = tuning.connectionSize() - connectionSize;
    connectionSize += growth;
    return growth;
  }

  /** Counts bytes that arrive on the connection, and gives them back. */
  public void receive(int bytes) {
    int growth = tuning.connectionSize() - connectionSize;
    connectionSize += growth;
    arrived += bytes + growth;
    if (arrived >= connectionSize / 2) {
      control.windowUpdate(target.out(), 0, arrived);
      arrived = 0;
    }
  }

  /** Gives bytes back to a stream, which don't wait in it. */
  public void giveBack(Windowed stream, int bytes) {
    takenBytes += bytes;
    if (bytes == 0 || !stream.state().isReceiving()) {
      return;
    }
    ReceiveWindow window = stream.receiveWindow();
    growthLeft -= window.grow(Math.min(tuning.streamSize() - window.size(), growthLeft));
    int increment = window.take(bytes);
    if (increment > 0) {
      control.windowUpdate(target.out(), stream.id(), increment);
    }
    if (tuning.onTaken(bytes, increment > 0)) {
      control.ping(target.out(), PING_DATA);
    }
  }

  /** Returns the bytes of content that were given back to streams so far. */
  public long takenBytes() {
    return takenBytes;
  }

  /** A stream ends: others may grow by what it has grown by. */
  public void onEnd(Windowed stream) {
    growthLeft += stream.receiveWindow().size() - streamWindow;
  }

  /** A PING was acknowledged. Returns false unless one that measures a round trip was sent. */
  public boolean onPingAcknowledged(long data) {
    return data == PING_DATA && tuning.onAcknowledged();
  }
}
