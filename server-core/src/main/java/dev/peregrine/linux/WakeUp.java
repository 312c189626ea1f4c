package dev.peregrine.linux;

import java.io.IOException;
import java.lang.foreign.ValueLayout;

/**
 * An eventfd that ends a wait for descriptors, from any thread. Every write to it is an edge for
 * epoll, so it is never read; its counter would take centuries to overflow.
 */
public final class WakeUp implements AutoCloseable {
  private static final int CLOSED = -1;
  private static final int CLOEXEC_NONBLOCK = 0x80800;

  // All methods are synchronized: a late call must not write to a closed descriptor.
  private final Kernel kernel = new Kernel();
  private int fd;

  public WakeUp() throws IOException {
    long created = kernel.call(SystemCall.EVENTFD2, 0, CLOEXEC_NONBLOCK);
    if (created < 0) {
      throw Errno.failure(SystemCall.EVENTFD2, created);
    }
    fd = (int) created;
    kernel.scratch.set(ValueLayout.JAVA_LONG, 0, 1);
  }

  public synchronized int descriptor() {
    return fd;
  }

  /** Ends the wait; without effect after {@link #close}. */
  public synchronized void signal() {
    if (fd != CLOSED) {
      kernel.call(SystemCall.WRITE, fd, kernel.scratchAddress, Long.BYTES);
    }
  }

  @Override
  public synchronized void close() {
    if (fd != CLOSED) {
      kernel.close(fd);
      fd = CLOSED;
    }
  }
}
