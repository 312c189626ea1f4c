package dev.peregrine.http.files.tree;

import dev.peregrine.http.files.tree.FileStatus.Kind;
import dev.peregrine.linux.CallPool;
import dev.peregrine.linux.Errno;
import dev.peregrine.linux.FileCalls;
import dev.peregrine.linux.Linux;
import dev.peregrine.linux.LinuxDirectory;
import dev.peregrine.linux.LinuxFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A tree of files by {@code openat2}. The kernel itself guarantees that no path leads out of the
 * root, in the same call that opens. The attributes of a file are read from its descriptor. Files
 * that the kernel has in memory are found without waiting.
 *
 * <p>A file is checked through a descriptor that opens nothing (O_PATH) before it is opened for the
 * first time, because opening a pipe or a device has effects.
 */
public final class LinuxTree implements FileTree {
  private static final int ATTEMPTS_MAX = 3;

  private final Path root;
  private final String rootPath;
  private final long linkRules;
  private final long freshNanos;
  private final CallPool pool = new CallPool();
  private volatile @Nullable Root current;

  /**
   * The directory that the root's path led to.
   *
   * @param checkedNanos when that was checked, by {@link System#nanoTime}
   */
  private record Root(LinuxDirectory directory, long checkedNanos) {}

  private LinuxTree(Path root, boolean linksLeaveRoot, long freshNanos) {
    this.root = root;
    this.rootPath = root.toAbsolutePath().toString();
    this.linkRules = linksLeaveRoot ? 0 : FileCalls.BENEATH;
    this.freshNanos = freshNanos;
  }

  /**
   * Returns the files below a directory.
   *
   * @param freshNanos for how long the root's path is taken to lead where it did
   * @return null if this system doesn't support it
   */
  public static @Nullable LinuxTree of(Path root, boolean linksLeaveRoot, long freshNanos) {
    if (!root.getFileSystem().equals(FileSystems.getDefault()) || Linux.problem() != null) {
      return null;
    }
    LinuxTree tree = new LinuxTree(root, linksLeaveRoot, freshNanos);
    try {
      // Old kernels and strict containers don't have the call.
      return tree.find(".", true).isDirectory() ? tree : null;
    } catch (IOException | RuntimeException unusable) {
      return null;
    }
  }

  @Override
  public FileStatus find(String path, boolean mayWait) throws IOException {
    FileCalls calls = pool.acquire();
    try {
      return find(calls, root(calls, mayWait), path, path, linkRules, mayWait);
    } finally {
      pool.release(calls);
    }
  }

  @Override
  public FileStatus findBeside(FileStatus found, String ending, boolean mayWait)
      throws IOException {
    FileCalls calls = pool.acquire();
    try {
      String path = found.named() + ending;
      return find(calls, latestRoot(), path, path, linkRules, mayWait);
    } finally {
      pool.release(calls);
    }
  }

  private FileStatus find(
      FileCalls calls,
      @Nullable LinuxDirectory from,
      String named,
      String place,
      long rules,
      boolean mayWait)
      throws IOException {
    if (from == null) {
      return mayWait ? FileStatus.ABSENT : FileStatus.WAITS;
    }
    int fd = open(calls, from, place, FileCalls.LOOK, rules, mayWait);
    if (fd < 0) {
      return absent(calls, named, -fd, rules, mayWait);
    }
    try {
      calls.readStatus(fd);
      return new FileStatus(kind(calls), named, place, FileState.of(calls));
    } finally {
      calls.close(fd);
    }
  }

  private static Kind kind(FileCalls calls) {
    return calls.isRegular() ? Kind.REGULAR : calls.isDirectory() ? Kind.DIRECTORY : Kind.OTHER;
  }

  private FileStatus absent(FileCalls calls, String named, int errno, long rules, boolean mayWait)
      throws IOException {
    return switch (errno) {
      case Errno.ENOENT, Errno.ENOTDIR, Errno.ENAMETOOLONG, Errno.ELOOP -> FileStatus.ABSENT;
      case Errno.EACCES -> FileStatus.DENIED;
      case Errno.EXDEV ->
          rules == linkRules ? findByLinks(calls, named, mayWait) : FileStatus.ABSENT;
      default -> {
        if (mayWait) {
          throw failure(errno, named);
        }
        yield FileStatus.WAITS;
      }
    };
  }

  /**
   * Finds a file behind links that {@code openat2} may not follow: absolute ones, and those that
   * lead out and in again. Its path without links must be below the root.
   */
  private FileStatus findByLinks(FileCalls calls, String named, boolean mayWait)
      throws IOException {
    if (!mayWait) {
      return FileStatus.WAITS;
    }
    try {
      Path top = root.toRealPath();
      Path real = root.resolve(named).toRealPath();
      if (!real.startsWith(top) || real.equals(top)) {
        return FileStatus.ABSENT;
      }
      long rules = FileCalls.BENEATH | FileCalls.NO_LINKS;
      return find(calls, latestRoot(), named, top.relativize(real).toString(), rules, true);
    } catch (AccessDeniedException denied) {
      return FileStatus.DENIED;
    } catch (FileSystemException | InvalidPathException notThere) {
      return FileStatus.ABSENT;
    }
  }

  @Override
  public @Nullable LinuxFile open(FileStatus seen, boolean mayWait) throws IOException {
    FileCalls calls = pool.acquire();
    try {
      return open(calls, seen, mayWait);
    } finally {
      pool.release(calls);
    }
  }

  private @Nullable LinuxFile open(FileCalls calls, FileStatus seen, boolean mayWait)
      throws IOException {
    LinuxDirectory from = freshNanos == 0 ? latestRoot() : root(calls, mayWait);
    if (from == null) {
      return null;
    }
    int fd = open(calls, from, seen.place(), FileCalls.READ, linkRules, mayWait);
    if (fd < 0) {
      return unopened(-fd, seen, mayWait);
    }
    boolean kept = false;
    try {
      calls.readStatus(fd);
      kept = calls.isRegular() && seen.state().is(calls);
      return kept ? new LinuxFile(fd, pool) : null;
    } finally {
      if (!kept) {
        calls.close(fd);
      }
    }
  }

  private static @Nullable LinuxFile unopened(int errno, FileStatus seen, boolean mayWait)
      throws IOException {
    return switch (errno) {
      case Errno.ENOENT, Errno.ENOTDIR, Errno.ELOOP, Errno.EXDEV, Errno.ENXIO, Errno.ENODEV -> null;
      default -> {
        if (mayWait) {
          throw failure(errno, seen.place());
        }
        yield null;
      }
    };
  }

  @Override
  public byte @Nullable [] read(FileStatus seen, boolean mayWait) throws IOException {
    try (LinuxFile file = open(seen, mayWait)) {
      if (file == null) {
        return null;
      }
      ByteBuffer content = ByteBuffer.allocate((int) seen.state().size());
      while (content.hasRemaining()) {
        int from = content.position();
        int n = mayWait ? file.read(content, from) : file.readCached(content, from);
        if (n <= 0) {
          return null;
        }
      }
      return isStill(file, seen.state()) ? content.array() : null;
    }
  }

  private boolean isStill(LinuxFile file, FileState seen) throws IOException {
    FileCalls calls = pool.acquire();
    try {
      file.readStatus(calls);
      return seen.is(calls);
    } finally {
      pool.release(calls);
    }
  }

  /** Returns the directory that the root's path leads to; null if it is absent or not known now. */
  private @Nullable LinuxDirectory root(FileCalls calls, boolean mayWait) throws IOException {
    Root known = current;
    long nowNanos = System.nanoTime();
    if (known != null && nowNanos - known.checkedNanos < freshNanos) {
      return known.directory;
    }
    LinuxDirectory present = known == null ? null : known.directory;
    LinuxDirectory found = LinuxDirectory.open(calls, rootPath, present, mayWait);
    if (found != null) {
      current = new Root(found, nowNanos);
    }
    return found;
  }

  /**
   * Returns the root as it was found last: by this request, unless another one has found a new one.
   */
  private @Nullable LinuxDirectory latestRoot() {
    Root known = current;
    return known == null ? null : known.directory;
  }

  private static int open(
      FileCalls calls, LinuxDirectory from, String path, long how, long rules, boolean mayWait) {
    int fd = from.open(calls, path, how, mayWait ? rules : rules | FileCalls.CACHED);
    if (mayWait) {
      // Something was renamed while a link upwards was followed, or a process has a lease.
      long again = how == FileCalls.READ ? FileCalls.READ_LEASED : how;
      for (int i = 1; fd == -Errno.EAGAIN && i < ATTEMPTS_MAX; i++) {
        fd = from.open(calls, path, again, rules);
      }
    }
    return fd;
  }

  private static IOException failure(int errno, String path) {
    return errno == Errno.EACCES
        ? new AccessDeniedException(path)
        : new FileSystemException(path, null, "openat2: " + Errno.text(errno));
  }
}
