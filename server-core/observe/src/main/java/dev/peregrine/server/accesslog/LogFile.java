package dev.peregrine.server.accesslog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The file at a path, opened to append. Another process may rename or remove it: its key (device
 * and inode) shows that. Used by one thread at a time.
 */
final class LogFile implements AutoCloseable {
  private static final int ATTEMPTS_MAX = 5;

  /** Opens a file to append to, which it creates if it is missing. */
  interface Opener {
    WritableByteChannel open(Path path) throws IOException;
  }

  static final Opener APPENDING =
      path ->
          FileChannel.open(
              path, StandardOpenOption.WRITE, StandardOpenOption.APPEND, StandardOpenOption.CREATE);

  private final Path path;
  private final Opener opener;
  private @Nullable WritableByteChannel channel;
  private @Nullable Object key; // of the channel's file; null if it isn't known

  LogFile(Path path, Opener opener) {
    this.path = path;
    this.opener = opener;
  }

  /** Returns true if the open file is still the one at the path. */
  boolean isCurrent() throws IOException {
    WritableByteChannel open = channel;
    return open != null && open.isOpen() && key != null && key.equals(keyAtPath());
  }

  /** Opens the file at the path in place of the one that is open. */
  void reopen() throws IOException {
    close();
    Object before = keyAtPath();
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      channel = opener.open(path);
      // A file that was replaced meanwhile isn't noticed later if it gets the key of another one.
      Object after = keyAtPath();
      if (Objects.equals(after, before)) {
        key = after;
        return;
      }
      close();
      before = after;
    }
    channel = opener.open(path);
  }

  void write(ByteBuffer bytes) throws IOException {
    WritableByteChannel open = channel;
    if (open == null) {
      throw new IOException("not open");
    }
    int ignored = open.write(bytes);
  }

  /** Returns the key of the file at the path; null if the file or its key does not exist. */
  private @Nullable Object keyAtPath() throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException absent) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    WritableByteChannel open = channel;
    channel = null;
    key = null;
    if (open != null) {
      open.close();
    }
  }

  Path path() {
    return path;
  }
}
