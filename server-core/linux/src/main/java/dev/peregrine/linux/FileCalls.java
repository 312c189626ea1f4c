package dev.peregrine.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Calls that open files and read their attributes, with the memory that they need. Used by one
 * thread at a time. Failures are negative error numbers (see {@link Errno}).
 */
public final class FileCalls {
  /** The working directory as a directory of {@link #open}. */
  public static final int WORKING_DIRECTORY = -100;

  /** Opens a path of any kind for its attributes only (see O_PATH in open(2)). */
  public static final long LOOK = 0x200000 | 0x80000; // O_PATH | O_CLOEXEC

  /**
   * Opens for reading. Never waits for the other side of a pipe, and never becomes the controlling
   * terminal.
   */
  public static final long READ = 0x800 | 0x100 | 0x80000; // O_NONBLOCK | O_NOCTTY | O_CLOEXEC

  /** Like {@link #READ}, but waits while another process has a lease on the file. */
  public static final long READ_LEASED = READ & ~0x800;

  /** Follows no link. */
  public static final long NO_LINKS = 0x04;

  /** Fails if a link leads out of the directory; an absolute link always does. */
  public static final long BENEATH = 0x08;

  /** Fails with {@link Errno#EAGAIN} where it would wait for the disk. */
  public static final long CACHED = 0x20;

  private static final int PATH_BYTES_MAX = 4096; // with its final zero
  private static final int UTF_8_BYTES_MAX = 3; // per char

  // The layout of the memory: struct open_how, struct stat, struct iovec, then a path.
  private static final long HOW = 0;
  private static final int HOW_BYTES = 24;
  private static final long HOW_RESOLVE = HOW + 16;
  private static final long STAT = HOW + HOW_BYTES;
  private static final long STAT_MODE =
      STAT + Objects.requireNonNull(Architecture.CURRENT).statModeOffset;
  private static final long VECTOR = STAT + 144;
  private static final long PATH = VECTOR + 16;

  private static final int MODE_TYPE = 0xF000;
  private static final int MODE_REGULAR = 0x8000;
  private static final int MODE_DIRECTORY = 0x4000;
  private static final int RWF_NOWAIT = 8;

  private final Kernel kernel = new Kernel();
  private final MemorySegment memory = Arena.ofAuto().allocate(PATH + PATH_BYTES_MAX, Long.BYTES);
  private final long address = memory.address();

  /**
   * Opens by {@code openat2}.
   *
   * @param directory the descriptor that a relative path begins at
   * @param path without a zero
   * @param how {@link #LOOK}, {@link #READ} or {@link #READ_LEASED}
   * @param resolve bits of {@link #BENEATH}, {@link #NO_LINKS} and {@link #CACHED}
   * @return a descriptor, or the negative error number; EMFILE as well for a file that would take
   *     what {@link Linux#keepFrom} keeps for others
   */
  public int open(int directory, String path, long how, long resolve) {
    if (!writePath(path)) {
      return -Errno.ENAMETOOLONG;
    }
    memory.set(ValueLayout.JAVA_LONG, HOW, how);
    memory.set(ValueLayout.JAVA_LONG, HOW_RESOLVE, resolve);
    long result;
    do {
      result = kernel.call(SystemCall.OPENAT2, directory, address + PATH, address + HOW, HOW_BYTES);
    } while (result == -Errno.EINTR);
    if (result >= Linux.keptFrom() && how != LOOK) {
      long ignored = kernel.close((int) result);
      return -Errno.EMFILE;
    }
    return (int) result;
  }

  private boolean writePath(String path) {
    if (path.length() * UTF_8_BYTES_MAX >= PATH_BYTES_MAX
        && path.getBytes(StandardCharsets.UTF_8).length >= PATH_BYTES_MAX) {
      return false;
    }
    memory.setString(PATH, path);
    return true;
  }

  /** Reads the attributes of an open file, for the methods below. */
  public void readStatus(int fd) throws IOException {
    long result = kernel.call(SystemCall.FSTAT, fd, address + STAT);
    if (result < 0) {
      throw Errno.failure(SystemCall.FSTAT, result);
    }
  }

  public boolean isRegular() {
    return (mode() & MODE_TYPE) == MODE_REGULAR;
  }

  public boolean isDirectory() {
    return (mode() & MODE_TYPE) == MODE_DIRECTORY;
  }

  public long device() {
    return status(0L);
  }

  public long inode() {
    return status(8L);
  }

  public long size() {
    return status(48L);
  }

  /**
   * Returns the second in which the content was last changed, or the time that a program has set.
   */
  public long modifiedSecond() {
    return status(88L);
  }

  public int modifiedNano() {
    return (int) status(96L);
  }

  /** Returns the second of the last change of content or attributes, which no program can set. */
  public long changedSecond() {
    return status(104L);
  }

  public int changedNano() {
    return (int) status(112L);
  }

  private int mode() {
    return memory.get(ValueLayout.JAVA_INT, STAT_MODE);
  }

  private long status(long offset) {
    return memory.get(ValueLayout.JAVA_LONG, STAT + offset);
  }

  /**
   * Reads from a position on.
   *
   * @param mayWait false fails with {@link Errno#EAGAIN} where it would wait for the disk
   * @return the number of bytes, 0 at the end of the file, or the negative error number
   */
  public long read(int fd, long target, long bytes, long position, boolean mayWait) {
    memory.set(ValueLayout.JAVA_LONG, VECTOR, target);
    memory.set(ValueLayout.JAVA_LONG, VECTOR + Long.BYTES, bytes);
    int flags = mayWait ? 0 : RWF_NOWAIT;
    long result;
    do {
      result = kernel.call(SystemCall.PREADV2, fd, address + VECTOR, 1, position, 0, flags);
    } while (result == -Errno.EINTR);
    return result;
  }

  /** Closes a descriptor. Even if the call fails, the number no longer means this file. */
  public void close(int fd) throws IOException {
    long result = kernel.close(fd);
    if (result < 0 && result != -Errno.EINTR) {
      throw Errno.failure(SystemCall.CLOSE, result);
    }
  }
}
