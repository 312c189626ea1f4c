package dev.peregrine.server.transport;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Waits for sockets to become ready and notifies their handlers. Belongs to one event loop. */
public interface Poller extends AutoCloseable {
  /** Waits without a bound until a socket is ready or {@link #wakeUp} is called. */
  long FOREVER = Long.MAX_VALUE;

  /**
   * Binds the poller to a thread, which is the only one to poll and to use its sockets from now on.
   */
  default void confineTo(Thread thread) {}

  /**
   * Waits until sockets are ready, which {@link #notifyReady} must follow. Doesn't wait if that has
   * left some, because another thread has relieved the loop's.
   *
   * @param timeoutNanos 0 doesn't wait; {@link #FOREVER} has no bound
   */
  void await(long timeoutNanos) throws IOException;

  /** Notifies the handler of every ready socket once; does nothing if none is. */
  void notifyReady();

  /** Ends the current or the next wait; callable from any thread. */
  void wakeUp();

  /**
   * Opens a regular file in the way that the sockets of this poller send fastest. Callable from any
   * thread. It may wait for the disk, but not for the other end of a pipe.
   */
  default FileChannel openFile(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException("not a regular file: " + file);
    }
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  /**
   * Moves all sockets to another poller, and closes this one. If this throws, nothing has changed,
   * and the other one is closed. On the loop's thread, not within a poll.
   *
   * @throws UnsupportedOperationException if this poller's sockets can't be moved
   */
  default void moveTo(Poller next) throws IOException {
    next.close();
    throw new UnsupportedOperationException("sockets can't be moved");
  }

  @Override
  void close() throws IOException;
}
