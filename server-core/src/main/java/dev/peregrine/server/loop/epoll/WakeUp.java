package dev.peregrine.server.loop.epoll;

import dev.peregrine.linux.Errno;
import dev.peregrine.linux.Kernel;
import dev.peregrine.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.ValueLayout;

/**
 * An eventfd that ends a poller's wait, from any thread. Every write to it is an edge for epoll, so
 * it is never read; its counter would take centuries to overflow.
 */
final class WakeUp {
  private static final int CLOEXEC_NONBLOCK = 0x80800;

  // All methods are synchronized: a late call must not write to a closed descriptor.
  private final Kernel kernel = new Kernel();
  private int fd;

  WakeUp() throws IOException {
    long created = kernel.call(SystemCall.EVENTFD2, 0, CLOEXEC_NONBLOCK);
    if (created < 0) {
      throw Errno.failure(SystemCall.EVENTFD2, created);
    }
    fd = (int) created;
    kernel.scratch.set(ValueLayout.JAVA_LONG, 0, 1);
  }

  synchronized int descriptor() {
    return fd;
  }

  synchronized void signal() {
    if (fd != EpollHandle.CLOSED) {
      kernel.call(SystemCall.WRITE, fd, kernel.scratchAddress, Long.BYTES);
    }
  }

  synchronized void close() {
    if (fd != EpollHandle.CLOSED) {
      kernel.close(fd);
      fd = EpollHandle.CLOSED;
    }
  }
}
