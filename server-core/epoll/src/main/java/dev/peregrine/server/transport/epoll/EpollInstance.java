package dev.peregrine.server.transport.epoll;

import dev.peregrine.linux.Architecture;
import dev.peregrine.linux.Errno;
import dev.peregrine.linux.Kernel;
import dev.peregrine.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/** An epoll instance and the memory for its events; see epoll(7). */
final class EpollInstance {
  static final int IN = 0x1;
  static final int PRI = 0x2; // urgent data, at which a read stops early
  static final int OUT = 0x4;
  static final int ERR = 0x8;
  static final int HUP = 0x10;
  static final int RDHUP = 0x2000; // the end of the stream was received
  static final int ET = 1 << 31;

  private static final int CTL_ADD = 1;
  private static final int CTL_DEL = 2;
  private static final int CLOEXEC = 0x80000;

  // Events per wait; further ready sockets are reported by the next one. Arbitrary.
  private static final int EVENTS_MAX = 512;

  private static final Architecture LAYOUT = Objects.requireNonNull(Architecture.CURRENT);
  private static final int EVENT_BYTES = LAYOUT.eventBytes;
  private static final int DATA_OFFSET = LAYOUT.eventDataOffset;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private final Kernel kernel;
  private final int fd;
  private final MemorySegment events =
      Arena.ofAuto().allocate((long) EVENTS_MAX * EVENT_BYTES, Long.BYTES);

  EpollInstance(Kernel kernel) throws IOException {
    this.kernel = kernel;
    long created = kernel.call(SystemCall.EPOLL_CREATE1, CLOEXEC, 0);
    if (created < 0) {
      throw Errno.failure(SystemCall.EPOLL_CREATE1, created);
    }
    fd = (int) created;
  }

  /**
   * Adds a descriptor, until it is closed.
   *
   * @param mask the events to report
   * @param word is returned with every event
   */
  void add(int descriptor, int mask, long word) throws IOException {
    MemorySegment event = kernel.scratch;
    event.set(INT, 0, mask);
    event.set(LONG, DATA_OFFSET, word);
    long result = kernel.call(SystemCall.EPOLL_CTL, fd, CTL_ADD, descriptor, kernel.scratchAddress);
    if (result < 0) {
      throw Errno.failure(SystemCall.EPOLL_CTL, result);
    }
  }

  /** Removes a descriptor; without effect if it wasn't added. */
  void remove(int descriptor) {
    kernel.call(SystemCall.EPOLL_CTL, fd, CTL_DEL, descriptor, 0);
  }

  /**
   * Waits for events.
   *
   * @param timeoutMillis -1 for no bound
   * @return how many there are
   */
  int await(int timeoutMillis) throws IOException {
    long count =
        kernel.call(SystemCall.EPOLL_PWAIT, fd, events.address(), EVENTS_MAX, timeoutMillis, 0, 0);
    if (count < 0 && count != -Errno.EINTR) {
      throw Errno.failure(SystemCall.EPOLL_PWAIT, count);
    }
    return (int) Math.max(count, 0);
  }

  /** Returns the ready bits of an event of the last wait. */
  int mask(int event) {
    return events.get(INT, (long) event * EVENT_BYTES);
  }

  /** Returns the word that was given to {@link #add}, of an event of the last wait. */
  long word(int event) {
    return events.get(LONG, (long) event * EVENT_BYTES + DATA_OFFSET);
  }

  void close() {
    kernel.close(fd);
  }
}
