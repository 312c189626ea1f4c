package dev.peregrine.server.transport.epoll;

import dev.peregrine.linux.Errno;
import dev.peregrine.linux.Kernel;
import dev.peregrine.linux.SystemCall;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.ReadyHandler;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A socket's descriptor and its readiness. The kernel reports once when a socket becomes ready
 * (edge-triggered). The handle keeps the readiness until a call finds the socket not ready any
 * more. The handler's interest is a filter over it, so that switching it makes no system call. A
 * handle that is ready for an event of interest is in its poller's queue. So no report is lost, and
 * none is passed on twice in a turn.
 */
abstract class EpollHandle {
  static final int CLOSED = -1;

  /** Closes descriptors that have no loop; guarded by its own lock. */
  private static final Kernel UNATTACHED = new Kernel();

  int fd;
  private byte interest;
  private byte ready;
  private @Nullable ReadyHandler handler;
  private @Nullable EpollPoller poller; // null until attached

  // The fields of EpollPoller and HandleTable.
  boolean queued;
  long word;
  @Nullable EpollHandle nextQueued;

  EpollHandle(int fd) {
    this.fd = fd;
  }

  /** Converts an event to bits of {@link dev.peregrine.server.transport.Ready}. */
  abstract int readyOps(int events);

  final void attach(Poller to, ReadyHandler told, int events) throws IOException {
    EpollPoller epoll = (EpollPoller) to;
    handler = told;
    epoll.add(this, events);
    poller = epoll;
  }

  final void setInterest(int ops) {
    interest = (byte) ops;
    queueIfDue();
  }

  /** Adds readiness that the kernel has reported. */
  final void onEvents(int events) {
    ready |= (byte) readyOps(events);
    queueIfDue();
  }

  /**
   * Clears readiness, because a call has found the socket not ready. The kernel reports when it is
   * ready again.
   */
  final void clearReady(int op) {
    ready &= (byte) ~op;
  }

  /** Returns the ready events that are still of interest, for a notification of the handler. */
  final int takeDue() {
    int ops = due();
    clearReady(ops & (Ready.ERROR | Ready.INPUT_END));
    return ops;
  }

  final ReadyHandler handler() {
    return Objects.requireNonNull(handler);
  }

  /** Returns true if the handler isn't interested, or is ready and won't be notified of that. */
  final boolean isForgotten(int op) {
    return (interest & op) == 0 || (!queued && due() != 0);
  }

  /** Returns the kernel to call: the loop's, so that a call allocates nothing. */
  final Kernel kernel() {
    return poller != null ? poller.kernel : new Kernel();
  }

  final EpollPoller poller() {
    return Objects.requireNonNull(poller, "not attached");
  }

  /** Ends the reports about a socket that stays open in another process after its close here. */
  final void deregister() {
    if (poller != null && fd != CLOSED) {
      poller.deregister(fd);
    }
  }

  /** Ends the notifications, and forgets the descriptor. */
  final void detach() {
    if (poller != null && fd != CLOSED) {
      poller.remove(this);
    }
    fd = CLOSED;
    interest = 0;
    ready = 0;
  }

  /** The poller has been closed while this handle was attached. */
  void onPollerClosed() {}

  final boolean isClosed() {
    return fd == CLOSED;
  }

  final void closeDescriptor() throws IOException {
    if (fd == CLOSED) {
      return;
    }
    int closing = fd;
    detach();
    long result = close(closing);
    if (result < 0 && result != -Errno.ECONNRESET && result != -Errno.EINTR) {
      throw Errno.failure(SystemCall.CLOSE, result);
    }
  }

  /** Closes a descriptor without allocating, so that it works when memory is exhausted. */
  private long close(int descriptor) {
    if (poller != null) {
      return poller.kernel.close(descriptor);
    }
    synchronized (UNATTACHED) {
      return UNATTACHED.close(descriptor);
    }
  }

  /** Does what follows a notification. */
  public final void endNotification() {
    queueIfDue();
  }

  private void queueIfDue() {
    if (!queued && due() != 0) {
      poller().queue(this);
    }
  }

  private int due() {
    return (interest | Ready.ERROR) & ready;
  }
}
