package dev.peregrine.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A regular file that is open for reading by a descriptor, so that a socket's transport can hand it
 * to {@code sendfile}. It has no position, and supports only those methods of {@link FileChannel}
 * that read at a given one. An interrupt doesn't close it. Thread-safe: a call and the close of its
 * file exclude one another, since the number may mean another file afterwards.
 */
public final class LinuxFile extends FileChannel {
  private static final int STAGED_BYTES_MAX = 64 * 1024;

  private final int fd;
  private final CallPool pool;
  private @Nullable FileChannel twin; // for the JDK's channels, which accept only their own kind

  /** Takes over a descriptor that was opened by {@link FileCalls#READ}. */
  public LinuxFile(int fd, CallPool pool) {
    this.fd = fd;
    this.pool = pool;
  }

  /**
   * Opens a regular file. It is checked before, because opening a pipe or a device has effects.
   *
   * @param path absolute
   * @return null if the path doesn't lead to a regular file that can be read
   */
  public static @Nullable LinuxFile open(String path, CallPool pool) throws IOException {
    FileCalls calls = pool.acquire();
    try {
      int looked = openRegular(calls, path, FileCalls.LOOK);
      if (looked < 0) {
        return null;
      }
      calls.close(looked);
      int fd = openRegular(calls, path, FileCalls.READ);
      return fd < 0 ? null : new LinuxFile(fd, pool);
    } finally {
      pool.release(calls);
    }
  }

  private static int openRegular(FileCalls calls, String path, long how) throws IOException {
    int fd = calls.open(FileCalls.WORKING_DIRECTORY, path, how, 0);
    if (fd == -Errno.EMFILE || fd == -Errno.ENFILE) {
      throw Errno.failure(SystemCall.OPENAT2, fd);
    }
    if (fd < 0) {
      return fd;
    }
    boolean regular = false;
    try {
      calls.readStatus(fd);
      regular = calls.isRegular();
    } finally {
      if (!regular) {
        calls.close(fd);
      }
    }
    return regular ? fd : -Errno.EINVAL;
  }

  /**
   * Sends a part to a socket.
   *
   * @param kernel the caller's own; its scratch memory is used
   * @return the result of {@code sendfile}: a number of bytes, or the negative error number
   */
  public synchronized long sendTo(Kernel kernel, int socket, long position, long bytes)
      throws IOException {
    checkOpen();
    kernel.scratch.set(ValueLayout.JAVA_LONG, 0, position);
    return kernel.call(SystemCall.SENDFILE, socket, fd, kernel.scratchAddress, bytes);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return (int) read(target, position, true);
  }

  /**
   * Like {@link #read(ByteBuffer, long)}, but doesn't wait for the disk.
   *
   * @return the number of bytes, -1 at the end of the file, or 0 if it would wait for the disk
   */
  public int readCached(ByteBuffer target, long position) throws IOException {
    long n = read(target, position, false);
    return n == -Errno.EAGAIN || n == -Errno.EOPNOTSUPP ? 0 : (int) n;
  }

  private synchronized long read(ByteBuffer target, long position, boolean mayWait)
      throws IOException {
    checkOpen();
    if (!target.hasRemaining()) {
      return 0;
    }
    if (target.isDirect()) {
      long n = read(MemorySegment.ofBuffer(target), position, mayWait);
      target.position(target.position() + (int) Math.max(n, 0));
      return n;
    }
    try (Arena staging = Arena.ofConfined()) {
      int bytes = Math.min(target.remaining(), STAGED_BYTES_MAX);
      MemorySegment staged = staging.allocate(bytes);
      long n = read(staged, position, mayWait);
      if (n > 0) {
        target.put(staged.asSlice(0, n).asByteBuffer());
      }
      return n;
    }
  }

  private long read(MemorySegment target, long position, boolean mayWait) throws IOException {
    FileCalls calls = pool.acquire();
    try {
      long n = calls.read(fd, target.address(), target.byteSize(), position, mayWait);
      boolean waits = !mayWait && (n == -Errno.EAGAIN || n == -Errno.EOPNOTSUPP);
      if (n < 0 && !waits) {
        throw Errno.failure(SystemCall.PREADV2, n);
      }
      return n == 0 ? -1 : n;
    } finally {
      pool.release(calls);
    }
  }

  @Override
  public synchronized long size() throws IOException {
    checkOpen();
    FileCalls calls = pool.acquire();
    try {
      calls.readStatus(fd);
      return calls.size();
    } finally {
      pool.release(calls);
    }
  }

  /** Like {@link FileCalls#readStatus}. */
  public synchronized void readStatus(FileCalls calls) throws IOException {
    checkOpen();
    calls.readStatus(fd);
  }

  /** Transfers to a socket of {@code java.nio}, through a channel of the JDK. */
  @Override
  public synchronized long transferTo(long position, long count, WritableByteChannel target)
      throws IOException {
    checkOpen();
    FileChannel channel = twin;
    if (channel == null) {
      // Opens the file of the descriptor, which may no longer be the file at its path.
      channel = FileChannel.open(Path.of("/proc/self/fd/" + fd), StandardOpenOption.READ);
      twin = channel;
    }
    return channel.transferTo(position, count, target);
  }

  @Override
  protected synchronized void implCloseChannel() throws IOException {
    FileCalls calls = pool.acquire();
    try {
      calls.close(fd);
    } finally {
      pool.release(calls);
      if (twin != null) {
        twin.close();
      }
    }
  }

  private void checkOpen() throws IOException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public int read(ByteBuffer target) {
    throw unsupported();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    throw unsupported();
  }

  @Override
  public int write(ByteBuffer source) {
    throw unsupported();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw unsupported();
  }

  @Override
  public int write(ByteBuffer source, long position) {
    throw unsupported();
  }

  @Override
  public long position() {
    throw unsupported();
  }

  @Override
  public FileChannel position(long newPosition) {
    throw unsupported();
  }

  @Override
  public FileChannel truncate(long size) {
    throw unsupported();
  }

  @Override
  public void force(boolean metaData) {
    throw unsupported();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw unsupported();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw unsupported();
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) {
    throw unsupported();
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) {
    throw unsupported();
  }

  private static UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException("this file is read at positions only");
  }
}
