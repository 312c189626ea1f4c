package dev.peregrine.server.transport.epoll;

import dev.peregrine.linux.CallPool;
import dev.peregrine.linux.Errno;
import dev.peregrine.linux.Kernel;
import dev.peregrine.linux.LinuxFile;
import dev.peregrine.linux.WakeUp;
import dev.peregrine.server.transport.AdoptingPoller;
import dev.peregrine.server.transport.Adoption;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits by epoll. A poll first notes all events of the kernel, then notifies the handlers. So each
 * handler is notified at most once per poll, and none about a socket that an earlier one has
 * closed.
 *
 * <p>Technique {@code readiness} of docs/TECHNIQUES.md, measured by {@code ReadinessBenchmark}.
 */
final class EpollPoller implements AdoptingPoller {
  private static final long WAKE_UP = -1; // a word that no handle has

  /** Used by the thread that polls. */
  final Kernel kernel = new Kernel();

  /** Used by the thread that polls. */
  final IoVectors vectors = new IoVectors();

  /** Used by the thread that polls. */
  final BufferAddress readAddress = new BufferAddress();

  /** Used by the thread that polls. */
  final BufferAddress writeAddress = new BufferAddress();

  /** Used by the thread that polls. */
  final TcpInfo tcpInfo = new TcpInfo();

  /** Used by any thread. */
  private final CallPool files = new CallPool();

  private final Adoptions adoptions;
  private final HandleTable handles = new HandleTable();
  private final EpollInstance epoll;
  private final WakeUp wakeUp;
  private @Nullable EpollHandle firstQueued;
  private @Nullable EpollHandle lastQueued;
  private int eventCount; // of the last wait
  private int notedCount; // events of the last wait that have been noted
  private boolean open = true;

  /** Begins to take over the sockets of other transports. */
  @FunctionalInterface
  interface Adoptions {
    Adoption open() throws IOException;
  }

  EpollPoller(Adoptions adoptions) throws IOException {
    this.adoptions = adoptions;
    epoll = new EpollInstance(kernel);
    try {
      wakeUp = new WakeUp();
    } catch (Throwable failure) {
      epoll.close();
      throw failure;
    }
    try {
      epoll.add(wakeUp.descriptor(), EpollInstance.IN | EpollInstance.ET, WAKE_UP);
    } catch (Throwable failure) {
      close();
      throw failure;
    }
  }

  @Override
  public void confineTo(Thread thread) {
    kernel.confineTo(thread);
  }

  @Override
  public void await(long timeoutNanos) throws IOException {
    if (notedCount == eventCount) {
      eventCount = 0;
      notedCount = 0;
      eventCount = epoll.await(firstQueued != null ? 0 : millis(timeoutNanos));
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // handles are compared by identity
  public void notifyReady() {
    noteEvents();
    EpollHandle last = lastQueued; // those that are queued meanwhile wait for the next poll
    EpollHandle handle = null;
    while (last != null && handle != last) {
      handle = dequeue();
      int ops = handle.takeDue();
      if (ops == 0) {
        continue;
      }
      try {
        handle.handler().onReady(ops);
      } catch (Throwable failure) {
        handle.handler().onFailure(failure);
      }
      handle.endNotification(); // otherwise it would never be notified again
    }
  }

  /**
   * Notes the events of the last wait. After a failure the next poll notes the rest, because the
   * kernel reports each event only once.
   */
  private void noteEvents() {
    while (notedCount < eventCount) {
      EpollHandle handle = handles.get(epoll.word(notedCount));
      if (handle != null) {
        handle.onEvents(epoll.mask(notedCount));
      }
      notedCount++;
    }
  }

  @Override
  public void wakeUp() {
    wakeUp.signal();
  }

  @Override
  public FileChannel openFile(Path file) throws IOException {
    LinuxFile opened =
        file.getFileSystem().equals(FileSystems.getDefault())
            ? LinuxFile.open(file.toAbsolutePath().toString(), files)
            : null;
    return opened != null ? opened : AdoptingPoller.super.openFile(file);
  }

  @Override
  public Adoption adoption() throws IOException {
    return adoptions.open();
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      epoll.close();
      wakeUp.close();
      handles.onPollerClosed();
    }
  }

  /** Returns true if the system calls work as expected. */
  boolean works() throws IOException {
    wakeUp.signal();
    return epoll.await(0) == 1
        && epoll.word(0) == WAKE_UP
        && epoll.mask(0) == EpollInstance.IN
        && kernel.close(EpollHandle.CLOSED) == -Errno.EBADF;
  }

  void add(EpollHandle handle, int events) throws IOException {
    handles.add(handle);
    try {
      epoll.add(handle.fd, events, handle.word);
    } catch (Throwable failure) {
      handles.remove(handle);
      throw failure;
    }
  }

  void remove(EpollHandle handle) {
    handles.remove(handle);
  }

  /**
   * Ends the reports about a descriptor before it is closed. The system does that by itself, unless
   * another process shares the socket.
   */
  void deregister(int fd) {
    if (open) {
      epoll.remove(fd);
    }
  }

  /** Notifies the handle at the next opportunity. */
  void queue(EpollHandle handle) {
    handle.queued = true;
    if (lastQueued == null) {
      firstQueued = handle;
    } else {
      lastQueued.nextQueued = handle;
    }
    lastQueued = handle;
  }

  private EpollHandle dequeue() {
    EpollHandle handle = Objects.requireNonNull(firstQueued);
    firstQueued = handle.nextQueued;
    if (firstQueued == null) {
      lastQueued = null;
    }
    handle.nextQueued = null;
    handle.queued = false;
    return handle;
  }

  private static int millis(long timeoutNanos) {
    if (timeoutNanos <= 0) {
      return 0;
    }
    return timeoutNanos == FOREVER
        ? -1
        : (int) Math.min(1 + TimeUnit.NANOSECONDS.toMillis(timeoutNanos - 1), Integer.MAX_VALUE);
  }
}
