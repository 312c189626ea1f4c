package dev.peregrine.server.exchange;

import dev.peregrine.server.connection.Turn;
import java.io.IOException;
import java.util.Arrays;

/**
 * Writes of another thread that the event loop does as one. The bytes of small writes are copied
 * and gathered until the loop takes them, so a handler that writes single bytes queues one task for
 * thousands of them. A longer write is passed on as it is. See {@code WriteBehindBenchmark}.
 */
final class GatheredWrites implements Turn {
  private static final int BYTES_INITIAL = 256;
  private static final int BYTES_MAX = 16 * 1024;

  /** Longer writes aren't copied: that would cost as much as a task. */
  private static final int WRITE_BYTES_MAX = 1024;

  private final ContentStream stream;
  private final int from;
  private byte[] bytes; // this and all below: by the lock of this
  private int count;
  private boolean closed;

  /** Begins with a write. */
  GatheredWrites(ContentStream stream, byte[] source, int from, int length) {
    this.stream = stream;
    closed = length > WRITE_BYTES_MAX;
    bytes = closed ? source : Arrays.copyOfRange(source, from, from + length);
    this.from = closed ? from : 0;
    count = length;
  }

  /** Adds a write; returns false if that needs a task of its own. */
  synchronized boolean add(byte[] source, int start, int length) {
    int sum = count + length;
    if (closed || length > WRITE_BYTES_MAX || sum > BYTES_MAX) {
      return false;
    }
    if (sum > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.min(BYTES_MAX, Math.max(2 * sum, BYTES_INITIAL)));
    }
    System.arraycopy(source, start, bytes, count, length);
    count = sum;
    return true;
  }

  /** Passes the bytes on; none are added from now on. */
  @Override
  public void run() throws IOException {
    synchronized (this) {
      closed = true;
    }
    stream.passOn(bytes, from, count);
  }
}
