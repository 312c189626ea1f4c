package dev.peregrine.server.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;

/** Checks parts of files before they are sent. */
final class FileParts {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private FileParts() {}

  /**
   * Checks a part of a file before it is sent, which may be later, on another thread.
   *
   * @throws IllegalArgumentException if the range isn't within the file, or the file can't be read
   */
  static void check(FileChannel file, long position, long count) {
    check(position, count);
    boolean interrupted = Thread.interrupted(); // an interrupt would close the channel
    try {
      int ignored = file.read(NOTHING, position);
    } catch (NonReadableChannelException | IOException unreadable) {
      throw new IllegalArgumentException("the file can't be read: " + unreadable, unreadable);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void check(long position, long count) {
    if (position < 0 || count < 0 || position > Long.MAX_VALUE - count) {
      throw new IllegalArgumentException(
          "not a part of a file: " + count + " bytes from " + position + " on");
    }
  }
}
