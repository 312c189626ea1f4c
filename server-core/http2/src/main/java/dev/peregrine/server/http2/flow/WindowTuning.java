package dev.peregrine.server.http2.flow;

import dev.peregrine.server.http2.frame.LocalSettings;

/**
 * The size of the receive windows of a connection. They begin small. While content is taken as it
 * arrives, the bytes of one round trip are counted, from a PING to its acknowledgement. If they are
 * most of a window, the window limits the client, and is doubled.
 */
final class WindowTuning {
  private final int sizeMax;
  private int streamSize;
  private int connectionSize;
  private long takenBytes; // since the PING
  private boolean probing;

  WindowTuning(LocalSettings settings) {
    this.streamSize = settings.streamWindow();
    this.connectionSize = settings.connectionWindow();
    this.sizeMax = settings.windowMax();
  }

  /** Returns the size that the window of a stream should have. */
  int streamSize() {
    return streamSize;
  }

  /** Returns the size that the window of the connection should have. */
  int connectionSize() {
    return connectionSize;
  }

  /**
   * Counts content that was taken; begins a round trip if a window was given back. Returns true if
   * its PING is to be sent.
   */
  boolean onTaken(int bytes, boolean givenBack) {
    takenBytes += bytes;
    boolean begins = givenBack && !probing && streamSize < sizeMax;
    if (begins) {
      probing = true;
      takenBytes = 0;
    }
    return begins;
  }

  /** The PING was acknowledged. Returns false if none was sent. */
  boolean onAcknowledged() {
    boolean expected = probing;
    if (probing && takenBytes >= streamSize / 2) {
      streamSize = (int) Math.min(2L * streamSize, sizeMax);
      connectionSize = Math.clamp(2L * streamSize, connectionSize, sizeMax);
    }
    probing = false;
    return expected;
  }
}
