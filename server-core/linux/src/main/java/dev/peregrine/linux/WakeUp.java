package dev.peregrine.linux;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An eventfd that ends a wait for descriptors, from any thread. Every write to it is an edge for
 * epoll, so it is never read; its counter would take centuries to overflow.
 *
 * <p>No method takes a lock. A virtual thread that waited for one would be unmounted, while it owes
 * the wake-up to the loop that may have to run it again. So the last user closes the descriptor: a
 * late call must not write to another file of the same number.
 */
public final class WakeUp implements AutoCloseable {
  private static final int CLOSING = 1 << 30; // with the number of calls that go on
  private static final int CLOSED = 1 << 31; // with the number of calls that do nothing
  private static final int CLOEXEC_NONBLOCK = 0x80800;

  // Its memory may be shared: the eight bytes that are written never change, and no result is used.
  private final Kernel kernel = new Kernel();
  private final int fd;
  private final AtomicInteger calls = new AtomicInteger(); // of signal, and the state of the close

  public WakeUp() throws IOException {
    long created = kernel.call(SystemCall.EVENTFD2, 0, CLOEXEC_NONBLOCK);
    if (created < 0) {
      throw Errno.failure(SystemCall.EVENTFD2, created);
    }
    fd = (int) created;
    kernel.scratch.set(ValueLayout.JAVA_LONG, 0, 1);
  }

  public int descriptor() {
    return fd;
  }

  /** Ends the wait; without effect after {@link #close}. */
  public void signal() {
    int now = calls.incrementAndGet();
    try {
      if (now > 0 && now < CLOSING) {
        kernel.call(SystemCall.WRITE, fd, kernel.scratchAddress, Long.BYTES);
      }
    } finally {
      if (calls.decrementAndGet() == CLOSING) {
        closeOnce();
      }
    }
  }

  @Override
  public void close() {
    int now = calls.get();
    while (now >= 0 && now < CLOSING) {
      if (calls.compareAndSet(now, now + CLOSING)) {
        closeOnce();
        return;
      }
      now = calls.get();
    }
  }

  /** Closes the descriptor unless a call still uses it. */
  private void closeOnce() {
    if (calls.compareAndSet(CLOSING, CLOSED)) {
      kernel.close(fd);
    }
  }
}
