package dev.peregrine.server.accesslog;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Whole lines that are being written by one call. What a failed write leaves stays here. Used by
 * one thread.
 */
final class LineBatch {
  private static final byte LINE_FEED = '\n';

  private final ByteBuffer bytes;
  private boolean isFull; // being written, so that nothing can be added

  LineBatch(int capacity) {
    bytes = ByteBuffer.allocateDirect(capacity);
  }

  /**
   * Adds lines that wait, unless others must be written first.
   *
   * @return true if lines are left in the ring
   */
  boolean addFrom(LineRing ring) {
    return isFull ? !ring.isEmpty() : ring.takeInto(bytes);
  }

  boolean isEmpty() {
    return !isFull && bytes.position() == 0;
  }

  /** Writes all lines. After a failure, the next call continues at the byte where it ended. */
  void write(LogFile file) throws IOException {
    flip();
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
    clear();
  }

  private void flip() {
    if (!isFull) {
      isFull = true;
      bytes.flip();
    }
  }

  void clear() {
    bytes.clear();
    isFull = false;
  }

  /**
   * Ends a line that was written only in part, because the file is about to be left. If that fails,
   * the next file gets all of the line.
   */
  void completeLine(LogFile file) {
    int start = lineStart();
    if (!isFull || bytes.position() == start) {
      return;
    }
    int limit = bytes.limit();
    try {
      bytes.limit(lineEnd());
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    } catch (IOException unwritable) {
      bytes.position(start);
    }
    bytes.limit(limit);
  }

  private int lineStart() {
    int start = bytes.position();
    while (isFull && start > 0 && bytes.get(start - 1) != LINE_FEED) {
      start--;
    }
    return start;
  }

  private int lineEnd() {
    int end = bytes.position();
    while (bytes.get(end) != LINE_FEED) {
      end++;
    }
    return end + 1;
  }

  /** Returns the number of lines that aren't written completely. */
  int lines() {
    flip();
    int lines = 0;
    for (int i = bytes.position(); i < bytes.limit(); i++) {
      lines += bytes.get(i) == LINE_FEED ? 1 : 0;
    }
    return lines;
  }
}
