package dev.peregrine.server.loop;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Waits for sockets to become ready and notifies their handlers. Belongs to one event loop. */
public interface Poller extends AutoCloseable {
  /** Waits without a bound until a socket is ready or {@link #wakeUp} is called. */
  long FOREVER = Long.MAX_VALUE;

  /** Called by the thread that polls from now on, and is the only one that uses its sockets. */
  default void confine() {}

  /**
   * Waits, runs what {@link Transport#openPoller} was given, then notifies every ready socket's
   * handler once.
   *
   * @param timeoutNanos 0 doesn't wait; {@link #FOREVER} has no bound
   */
  void poll(long timeoutNanos) throws IOException;

  /** Ends the current or the next wait; callable from any thread. */
  void wakeUp();

  /**
   * Opens a regular file as the sockets of this poller can send it best. Any thread may call it; it
   * may wait for the disk, but not for the other end of a pipe.
   */
  default FileChannel openFile(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException("not a regular file: " + file);
    }
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  @Override
  void close() throws IOException;
}
