package dev.peregrine.server.websocket.deflate;

import dev.peregrine.base.Range;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The native memory for compression that all sessions of a server may take from one turn of their
 * event loop to the next. Sessions that keep a context between messages share three quarters of it.
 * The rest is left for messages of other sessions that don't end in the turn in which they begin.
 * Thread-safe, without locks.
 */
public final class CompressionBudget {
  /**
   * The memory of a deflater: zlib keeps twice the window of 32 KiB, two tables of 64 KiB for its
   * matches, 64 KiB of symbols and output, and the codes. Measured with the allocator's overhead.
   */
  public static final int DEFLATER_BYTES = 280 * 1024;

  /** The memory of an inflater: the window of 32 KiB, and tables of codes. */
  public static final int INFLATER_BYTES = 44 * 1024;

  private final long bytesMax;
  private final long sessionBytesMax;
  private final AtomicLong bytesInUse = new AtomicLong();

  /**
   * Creates a budget of which nothing is in use.
   *
   * @throws IllegalArgumentException if the number of bytes is negative
   */
  public CompressionBudget(long bytesMax) {
    Range.checkAtLeast("bytesMax", bytesMax, 0);
    this.bytesMax = bytesMax;
    this.sessionBytesMax = bytesMax - bytesMax / 4;
  }

  /** Takes memory for a context that a session keeps. Returns false if it doesn't fit. */
  boolean takeForSession(int bytes) {
    return take(bytes, sessionBytesMax);
  }

  /** Takes memory until a message ends. Returns false if it doesn't fit. */
  boolean takeForMessage(int bytes) {
    return take(bytes, bytesMax);
  }

  private boolean take(int bytes, long most) {
    long seen = bytesInUse.get();
    while (seen + bytes <= most) {
      long found = bytesInUse.compareAndExchange(seen, seen + bytes);
      if (found == seen) {
        return true;
      }
      seen = found;
    }
    return false;
  }

  /** Returns true if there is room for a message when all contexts are taken. */
  boolean hasRoomForMessages() {
    return bytesMax - sessionBytesMax >= INFLATER_BYTES;
  }

  /** Gives memory back that was taken. */
  void giveBack(int bytes) {
    bytesInUse.addAndGet(-bytes);
  }

  /** Returns the bytes that are taken and not yet given back. */
  public long bytesInUse() {
    return bytesInUse.get();
  }
}
