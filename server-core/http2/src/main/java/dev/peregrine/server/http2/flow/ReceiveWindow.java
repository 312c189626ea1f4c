package dev.peregrine.server.http2.flow;

/**
 * The window of the content that a client may send on a stream (RFC 9113 section 5.2). Bytes that
 * were taken are given back to the client once they are half of the window.
 */
public final class ReceiveWindow {
  private int size;
  private int available; // bytes that the client may send now
  private int taken; // bytes that were taken and not given back

  public void begin(int bytes) {
    size = bytes;
    available = bytes;
    taken = 0;
  }

  /** Returns the bytes that may arrive and not be taken. */
  public int size() {
    return size;
  }

  /** Counts bytes that have arrived. Returns false if they are more than the window permits. */
  public boolean receive(int bytes) {
    available -= bytes;
    return available >= 0;
  }

  /** Counts bytes that were taken. Returns the increment to send to the client; 0 for none yet. */
  public int take(int bytes) {
    taken += bytes;
    if (taken < size / 2) {
      return 0;
    }
    int increment = taken;
    available += increment;
    taken = 0;
    return increment;
  }

  /** Makes the window larger; the next increment grants the difference. Returns the bytes. */
  public int grow(int bytes) {
    size += bytes;
    taken += bytes;
    return bytes;
  }
}
