package dev.peregrine.linux;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * A directory below which files are opened, held by its descriptor: renaming it or its parents has
 * no effect. The descriptor is closed when nothing refers to this object any more. Immutable.
 */
public final class LinuxDirectory {
  private static final Cleaner CLEANER = Cleaner.create();

  private final int fd;
  private final long device;
  private final long inode;

  private LinuxDirectory(int fd, long device, long inode) {
    this.fd = fd;
    this.device = device;
    this.inode = inode;
  }

  /**
   * Opens a directory, or returns the present one if the path still leads to it.
   *
   * @param path absolute
   * @param present an open directory, which is returned if the path leads to it
   * @param mayWait whether to wait for the disk
   * @return null if the directory is absent, or can't be opened without waiting
   */
  public static @Nullable LinuxDirectory open(
      FileCalls calls, String path, @Nullable LinuxDirectory present, boolean mayWait)
      throws IOException {
    long resolve = mayWait ? 0 : FileCalls.CACHED;
    int fd = calls.open(FileCalls.WORKING_DIRECTORY, path, FileCalls.LOOK, resolve);
    if (fd < 0) {
      boolean absent = fd == -Errno.ENOENT || fd == -Errno.ENOTDIR || fd == -Errno.ELOOP;
      if (mayWait && !absent) {
        throw Errno.failure(SystemCall.OPENAT2, fd);
      }
      return null;
    }
    boolean kept = false;
    try {
      calls.readStatus(fd);
      if (!calls.isDirectory()) {
        return null;
      }
      if (present != null && present.device == calls.device() && present.inode == calls.inode()) {
        return present;
      }
      LinuxDirectory directory = new LinuxDirectory(fd, calls.device(), calls.inode());
      CLEANER.register(directory, () -> closeQuietly(fd));
      kept = true;
      return directory;
    } finally {
      if (!kept) {
        calls.close(fd);
      }
    }
  }

  private static void closeQuietly(int fd) {
    new Kernel().close(fd);
  }

  /** Like {@link FileCalls#open}, below this directory. */
  public int open(FileCalls calls, String path, long how, long resolve) {
    try {
      return calls.open(fd, path, how, resolve);
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
