package dev.peregrine.server.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;

/** What is asked of parts of files before they are sent. */
final class FileParts {
  private FileParts() {}

  /**
   * Checks a part of a file before it is sent, which may be later, on another thread.
   *
   * @throws IllegalArgumentException if it is no part of a file that can be read
   */
  static void check(FileChannel file, long position, long count) {
    check(position, count);
    try {
      int ignored = file.read(ByteBuffer.allocate(0), position);
    } catch (NonReadableChannelException | IOException unreadable) {
      throw new IllegalArgumentException("the file can't be read: " + unreadable, unreadable);
    }
  }

  private static void check(long position, long count) {
    if (position < 0 || count < 0 || position > Long.MAX_VALUE - count) {
      throw new IllegalArgumentException(
          "not a part of a file: " + count + " bytes from " + position + " on");
    }
  }
}
