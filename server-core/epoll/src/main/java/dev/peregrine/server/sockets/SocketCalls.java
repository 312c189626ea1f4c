package dev.peregrine.server.sockets;

import dev.peregrine.linux.Errno;
import dev.peregrine.linux.Kernel;
import dev.peregrine.linux.SystemCall;
import dev.peregrine.server.transport.epoll.SocketAddresses;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;

/**
 * System calls for client sockets. Each borrows memory, which no thread keeps while it waits in a
 * loop. Those that return a long return the negative error number of a failure.
 */
final class SocketCalls {
  /** The most bytes that one call receives or sends. */
  static final int BYTES_MAX = 32 * 1024;

  static final int SHUT_READ = 0;
  static final int SHUT_WRITE = 1;
  static final int SHUT_BOTH = 2;
  static final int EINTR = Errno.EINTR;

  private static final Kept<SocketCalls> KEPT = new Kept<>();

  private static final int SOCK_STREAM = 1;
  private static final int NONBLOCK_CLOEXEC = 0x80800; // SOCK_NONBLOCK | SOCK_CLOEXEC
  private static final int IPPROTO_IPV6 = 41;
  private static final int IPV6_V6ONLY = 26;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int FIONREAD = 0x541B;
  private static final short POLLIN = 1;
  private static final short POLLOUT = 4;
  private static final long POLL_EVENTS = 4; // in struct pollfd, after the descriptor
  private static final long POLL_TIME = 8; // struct timespec, after struct pollfd
  private static final boolean ONLY_IPV4 = Boolean.getBoolean("java.net.preferIPv4Stack");

  private final Kernel kernel = new Kernel();
  private final MemorySegment memory = Arena.ofAuto().allocate(BYTES_MAX + 1, Long.BYTES);

  private SocketCalls() {}

  private static SocketCalls borrow() {
    SocketCalls kept = KEPT.take();
    return kept != null ? kept : new SocketCalls();
  }

  private void giveBack() {
    KEPT.give(this);
  }

  /** Creates a socket of TCP, for IPv6 and IPv4 where the system has IPv6. */
  static int open() throws IOException {
    SocketCalls calls = borrow();
    try {
      long fd = ONLY_IPV4 ? -Errno.EAFNOSUPPORT : calls.open(SocketAddresses.AF_INET6);
      if (fd == -Errno.EAFNOSUPPORT) {
        fd = calls.open(SocketAddresses.AF_INET);
      } else if (fd >= 0) {
        calls.kernel.setOption((int) fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
      }
      return (int) SocketFailures.check(fd);
    } finally {
      calls.giveBack();
    }
  }

  private long open(int family) {
    return kernel.call(SystemCall.SOCKET, family, SOCK_STREAM | NONBLOCK_CLOEXEC, 0);
  }

  static void close(int fd) {
    SocketCalls calls = borrow();
    try {
      calls.kernel.close(fd);
    } finally {
      calls.giveBack();
    }
  }

  /** Begins to connect, or returns what has come of that: 0 once the socket is connected. */
  static long connect(int fd, InetSocketAddress remote) {
    return withAddress(SystemCall.CONNECT, fd, remote);
  }

  static long bind(int fd, InetSocketAddress local) {
    return withAddress(SystemCall.BIND, fd, local);
  }

  private static long withAddress(SystemCall call, int fd, InetSocketAddress address) {
    SocketCalls calls = borrow();
    try {
      Kernel kernel = calls.kernel;
      SocketAddresses.expect(kernel);
      long size = kernel.scratchAddress + SocketAddresses.SIZE_OFFSET;
      long known = kernel.call(SystemCall.GETSOCKNAME, fd, kernel.scratchAddress, size);
      if (known < 0) {
        return known;
      }
      int family = kernel.scratch.get(ValueLayout.JAVA_SHORT, 0);
      int bytes = SocketAddresses.write(address, family, kernel.scratch);
      return bytes < 0 ? bytes : kernel.call(call, fd, kernel.scratchAddress, bytes);
    } finally {
      calls.giveBack();
    }
  }

  static InetSocketAddress localAddress(int fd) throws IOException {
    SocketCalls calls = borrow();
    try {
      return SocketAddresses.ofSocket(calls.kernel, fd);
    } finally {
      calls.giveBack();
    }
  }

  /**
   * Receives at most {@link #BYTES_MAX} bytes, and one beyond those if there are more: so a return
   * without one says that there are no more.
   *
   * @param beyond has room for that byte
   * @return the number of bytes, with the one beyond; 0 at the end
   */
  static long receive(int fd, byte[] target, int offset, int length, byte[] beyond) {
    SocketCalls calls = borrow();
    try {
      MemorySegment memory = calls.memory;
      int most = Math.min(length, BYTES_MAX);
      long n = calls.kernel.call(SystemCall.RECVFROM, fd, memory.address(), most + 1, 0, 0, 0);
      if (n > 0) {
        int taken = (int) Math.min(n, most);
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, 0, target, offset, taken);
        if (n > most) {
          beyond[0] = memory.get(ValueLayout.JAVA_BYTE, most);
        }
      }
      return n;
    } finally {
      calls.giveBack();
    }
  }

  /** Sends at most {@link #BYTES_MAX} bytes. */
  static long send(int fd, byte[] source, int offset, int length) {
    SocketCalls calls = borrow();
    try {
      MemorySegment memory = calls.memory;
      int bytes = Math.min(length, BYTES_MAX);
      MemorySegment.copy(source, offset, memory, ValueLayout.JAVA_BYTE, 0, bytes);
      return calls.kernel.call(SystemCall.SENDTO, fd, memory.address(), bytes, MSG_NOSIGNAL, 0, 0);
    } finally {
      calls.giveBack();
    }
  }

  static long shutdown(int fd, int how) {
    SocketCalls calls = borrow();
    try {
      return calls.kernel.call(SystemCall.SHUTDOWN, fd, how);
    } finally {
      calls.giveBack();
    }
  }

  /** Returns how many bytes can be received at once. */
  static long available(int fd) {
    SocketCalls calls = borrow();
    try {
      Kernel kernel = calls.kernel;
      long result = kernel.call(SystemCall.IOCTL, fd, FIONREAD, kernel.scratchAddress);
      return result < 0 ? result : kernel.scratch.get(ValueLayout.JAVA_INT, 0);
    } finally {
      calls.giveBack();
    }
  }

  /**
   * Waits in the system until the socket is ready, has failed, or was shut down. Returns 0 if the
   * time is over.
   *
   * @param nanos negative for no bound
   */
  static long poll(int fd, boolean toRead, long nanos) {
    SocketCalls calls = borrow();
    try {
      Kernel kernel = calls.kernel;
      MemorySegment memory = kernel.scratch;
      long second = TimeUnit.SECONDS.toNanos(1);
      memory.set(ValueLayout.JAVA_INT, 0, fd);
      memory.set(ValueLayout.JAVA_INT, POLL_EVENTS, toRead ? POLLIN : POLLOUT); // no ready ones
      memory.set(ValueLayout.JAVA_LONG, POLL_TIME, nanos / second);
      memory.set(ValueLayout.JAVA_LONG, POLL_TIME + Long.BYTES, nanos % second);
      long time = nanos < 0 ? 0 : kernel.scratchAddress + POLL_TIME;
      return kernel.call(SystemCall.PPOLL, kernel.scratchAddress, 1, time, 0);
    } finally {
      calls.giveBack();
    }
  }

  /** Sets an option of one int, or of two. */
  static long setOption(int fd, int level, int option, int... value) {
    SocketCalls calls = borrow();
    try {
      Kernel kernel = calls.kernel;
      for (int i = 0; i < value.length; i++) {
        kernel.scratch.set(ValueLayout.JAVA_INT, (long) i * Integer.BYTES, value[i]);
      }
      long bytes = (long) value.length * Integer.BYTES;
      return kernel.call(SystemCall.SETSOCKOPT, fd, level, option, kernel.scratchAddress, bytes, 0);
    } finally {
      calls.giveBack();
    }
  }

  /** Returns the last int of an option of one int, or of two in the higher half. */
  static long option(int fd, int level, int option) throws SocketException {
    SocketCalls calls = borrow();
    try {
      Kernel kernel = calls.kernel;
      kernel.scratch.set(ValueLayout.JAVA_LONG, 0, 0);
      kernel.scratch.set(ValueLayout.JAVA_INT, Long.BYTES, Long.BYTES);
      long address = kernel.scratchAddress;
      long result =
          kernel.call(SystemCall.GETSOCKOPT, fd, level, option, address, address + Long.BYTES, 0);
      SocketFailures.check(result);
      return kernel.scratch.get(ValueLayout.JAVA_LONG, 0);
    } finally {
      calls.giveBack();
    }
  }
}
