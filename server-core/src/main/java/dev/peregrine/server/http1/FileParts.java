package dev.peregrine.server.http1;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What is asked of files before they are sent. */
final class FileParts {
  private FileParts() {}

  static void check(long position, long count) {
    if (position < 0 || count < 0 || position > Long.MAX_VALUE - count) {
      throw new IllegalArgumentException(
          "not a part of a file: " + count + " bytes from " + position + " on");
    }
  }

  /** Opens a file that reading can't wait for, as it could for a pipe. May block for the disk. */
  static FileChannel open(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException("not a regular file: " + file);
    }
    return FileChannel.open(file, StandardOpenOption.READ);
  }
}
