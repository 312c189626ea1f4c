package dev.peregrine.bench.technique;

import dev.peregrine.linux.Architecture;
import dev.peregrine.linux.Errno;
import dev.peregrine.linux.Kernel;
import dev.peregrine.linux.SystemCall;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.epoll.EpollTransport;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;

/** Sockets that are read by system calls; its subclasses differ in how they find the ready ones. */
abstract class NativeSockets extends Sockets {
  static final Architecture LAYOUT = Objects.requireNonNull(Architecture.CURRENT);
  static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private static final int NONBLOCK = 0x800;
  private static final int BACKLOG = 128;

  final Kernel kernel = new Kernel();
  final int[] descriptors;
  int count;
  private final Listener listener;
  private final MemorySegment in = Arena.ofAuto().allocate(READ_BYTES);

  private NativeSockets(int connections) throws IOException {
    descriptors = new int[connections];
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    listener = EpollTransport.open().listen(any, BACKLOG, false);
  }

  @Override
  final SocketAddress address() {
    return listener.localAddress();
  }

  @Override
  final void accept() throws IOException {
    int fd = (int) call(SystemCall.ACCEPT4, listener.descriptor(), 0, 0, NONBLOCK);
    added(fd);
    descriptors[count++] = fd;
  }

  /** Called before a socket is added to {@link #descriptors}. */
  void added(int fd) throws IOException {}

  /** Reads a socket, and notes it if it had a byte. */
  final void read(int fd) throws IOException {
    long n = kernel.call(SystemCall.RECVFROM, fd, in.address(), READ_BYTES, 0, 0, 0);
    if (n > 0) {
      note(in.get(ValueLayout.JAVA_BYTE, 0));
    } else if (n != -Errno.EAGAIN) {
      throw Errno.failure(SystemCall.RECVFROM, n);
    }
  }

  final long call(SystemCall call, long a, long b, long c, long d) throws IOException {
    long result = kernel.call(call, a, b, c, d);
    if (result < 0) {
      throw Errno.failure(call, result);
    }
    return result;
  }

  @Override
  void closeServer() throws IOException {
    for (int i = 0; i < count; i++) {
      kernel.close(descriptors[i]);
    }
    listener.close();
  }

  /** Reads the first ones, ready or not. */
  static final class Scanned extends NativeSockets {
    private final int scanned;

    Scanned(int connections, int scanned) throws IOException {
      super(connections);
      this.scanned = scanned;
    }

    @Override
    void readReady() throws IOException {
      for (int i = 0; i < scanned; i++) {
        read(descriptors[i]);
      }
    }
  }

  /** Gets the readiness of all from poll(2). */
  static final class Polled extends NativeSockets {
    private static final int IN = 1;
    private static final int POLL_BYTES = 8; // struct pollfd: descriptor, events, found events
    private static final int EVENTS = 4;
    private static final int FOUND = 6;

    private final MemorySegment polled;

    Polled(int connections) throws IOException {
      super(connections);
      polled = Arena.ofAuto().allocate((long) POLL_BYTES * connections, POLL_BYTES);
      kernel.scratch.fill((byte) 0); // struct timespec: no wait
    }

    @Override
    void added(int fd) {
      polled.set(INT, (long) POLL_BYTES * count, fd);
      polled.set(ValueLayout.JAVA_SHORT, (long) POLL_BYTES * count + EVENTS, (short) IN);
    }

    @Override
    void readReady() throws IOException {
      long left = call(SystemCall.PPOLL, polled.address(), count, kernel.scratchAddress, 0);
      for (int i = 0; left > 0; i++) {
        if (polled.get(ValueLayout.JAVA_SHORT, (long) POLL_BYTES * i + FOUND) != 0) {
          read(descriptors[i]);
          left--;
        }
      }
    }
  }

  /** Gets the ready ones from epoll(7), level-triggered. */
  static final class ByEpoll extends NativeSockets {
    private static final int IN = 1;
    private static final int ADD = 1;
    private static final int EVENTS_MAX = 512; // of one call, as the server has it

    private final int epoll;
    private final MemorySegment events;

    ByEpoll(int connections) throws IOException {
      super(connections);
      epoll = (int) call(SystemCall.EPOLL_CREATE1, 0, 0, 0, 0);
      events = Arena.ofAuto().allocate((long) EVENTS_MAX * LAYOUT.eventBytes, Long.BYTES);
    }

    @Override
    void added(int fd) throws IOException {
      events.set(INT, 0, IN);
      events.set(INT, LAYOUT.eventDataOffset, fd);
      call(SystemCall.EPOLL_CTL, epoll, ADD, fd, events.address());
    }

    @Override
    void readReady() throws IOException {
      long ready = call(SystemCall.EPOLL_PWAIT, epoll, events.address(), EVENTS_MAX, 0);
      for (int i = 0; i < ready; i++) {
        read(events.get(INT, (long) i * LAYOUT.eventBytes + LAYOUT.eventDataOffset));
      }
    }

    @Override
    void closeServer() throws IOException {
      kernel.close(epoll);
      super.closeServer();
    }
  }
}
