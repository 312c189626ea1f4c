package dev.peregrine.server.accesslog;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The lines of one event loop that wait to be written, in a ring of bytes. One thread at a time
 * adds whole lines, and one takes whole lines; neither waits for the other.
 */
final class LineRing {
  private static final byte LINE_FEED = '\n';

  private final byte[] bytes;
  private final AtomicLong added = new AtomicLong(); // bytes, written by the thread that adds
  private final AtomicLong taken = new AtomicLong(); // bytes, written by the thread that takes
  private int addAt;
  private int takeAt;

  LineRing(int capacity) {
    bytes = new byte[capacity];
  }

  /**
   * Adds a line if there is room for all of it.
   *
   * @return the number of bytes that wait, with this line; -1 if it doesn't fit
   */
  int add(byte[] line, int length) {
    long before = added.getPlain();
    int waiting = (int) (before - taken.getAcquire());
    if (length > bytes.length - waiting) {
      return -1;
    }
    int first = Math.min(length, bytes.length - addAt);
    System.arraycopy(line, 0, bytes, addAt, first);
    if (first < length) {
      System.arraycopy(line, first, bytes, 0, length - first);
    }
    addAt = wrapped(addAt, length);
    added.setRelease(before + length);
    return waiting + length;
  }

  boolean isEmpty() {
    return added.getAcquire() == taken.getPlain();
  }

  /**
   * Takes as many whole lines as fit.
   *
   * @return true if lines are left that don't fit
   */
  boolean takeInto(ByteBuffer batch) {
    long before = taken.getPlain();
    int waiting = (int) (added.getAcquire() - before);
    int length = waiting <= batch.remaining() ? waiting : wholeLines(batch.remaining());
    int first = Math.min(length, bytes.length - takeAt);
    batch.put(bytes, takeAt, first).put(bytes, 0, length - first);
    takeAt = wrapped(takeAt, length);
    taken.setRelease(before + length);
    return length < waiting;
  }

  /** Returns the length of the whole lines within the next bytes. */
  private int wholeLines(int length) {
    for (int end = length; end > 0; end--) {
      if (bytes[wrapped(takeAt, end - 1)] == LINE_FEED) {
        return end;
      }
    }
    return 0;
  }

  private int wrapped(int at, int by) {
    int sum = at - bytes.length + by; // doesn't overflow
    return sum < 0 ? sum + bytes.length : sum;
  }
}
