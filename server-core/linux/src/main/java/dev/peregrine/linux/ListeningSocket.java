package dev.peregrine.linux;

import java.io.IOException;
import java.lang.foreign.ValueLayout;

/** Checks and preparation of a listening socket that another program has created. */
public final class ListeningSocket {
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int SOL_SOCKET = 1;
  private static final int SO_TYPE = 3;
  private static final int SO_ACCEPTCONN = 30;
  private static final int SO_PROTOCOL = 38;
  private static final int SO_DOMAIN = 39;
  private static final int SOCK_STREAM = 1;
  private static final int IPPROTO_TCP = 6;
  private static final int F_SETFD = 2;
  private static final int F_GETFL = 3;
  private static final int F_SETFL = 4;
  private static final int F_DUPFD_CLOEXEC = 1030;
  private static final int FD_CLOEXEC = 1;
  private static final int O_NONBLOCK = 0x800;
  private static final int STANDARD_STREAMS = 3;

  private ListeningSocket() {}

  /**
   * Prepares a descriptor to be used by this process only: it isn't passed on to programs that this
   * process runs, and its socket doesn't block.
   *
   * @throws IOException that names the descriptor and its kind, unless it is a listening stream
   *     socket of TCP or of the Unix domain
   */
  public static void prepare(int fd) throws IOException {
    Kernel kernel = new Kernel();
    String kind = describe(kernel, fd);
    if (!kind.isEmpty()) {
      throw new IOException("descriptor " + fd + " is not a listening socket: it is " + kind);
    }
    Errno.check(SystemCall.FCNTL, kernel.call(SystemCall.FCNTL, fd, F_SETFD, FD_CLOEXEC));
    long flags = Errno.check(SystemCall.FCNTL, kernel.call(SystemCall.FCNTL, fd, F_GETFL, 0));
    Errno.check(SystemCall.FCNTL, kernel.call(SystemCall.FCNTL, fd, F_SETFL, flags | O_NONBLOCK));
  }

  /** Returns another descriptor for the same socket. */
  public static int duplicate(int fd) throws IOException {
    return (int)
        Errno.check(
            SystemCall.FCNTL,
            new Kernel().call(SystemCall.FCNTL, fd, F_DUPFD_CLOEXEC, STANDARD_STREAMS));
  }

  /** Returns true if a descriptor is a stream socket. */
  public static boolean isStream(Kernel kernel, int fd) {
    return option(kernel, fd, SO_TYPE) == SOCK_STREAM;
  }

  /** Returns true if a descriptor is a listening socket. */
  public static boolean isListening(Kernel kernel, int fd) {
    return option(kernel, fd, SO_ACCEPTCONN) == 1;
  }

  /** Closes a descriptor. */
  public static void close(int fd) {
    long ignored = new Kernel().close(fd);
  }

  /** Returns the kind of a descriptor that can't be listened on; empty if it can. */
  private static String describe(Kernel kernel, int fd) {
    long type = option(kernel, fd, SO_TYPE);
    if (type == -Errno.EBADF) {
      return "not open";
    }
    if (type == -Errno.ENOTSOCK) {
      return "not a socket";
    }
    long family = option(kernel, fd, SO_DOMAIN);
    boolean isUnix = family == LocalAddress.FAMILY;
    if (!isUnix && family != AF_INET && family != AF_INET6) {
      return "a socket of the address family " + family;
    }
    if (type != SOCK_STREAM) {
      return "a socket of the type " + type + (type == 2 ? " (datagrams)" : "");
    }
    long protocol = option(kernel, fd, SO_PROTOCOL);
    if (!isUnix && protocol != IPPROTO_TCP) {
      return "a socket of the protocol " + protocol;
    }
    return option(kernel, fd, SO_ACCEPTCONN) == 1 ? "" : "a stream socket that doesn't listen";
  }

  private static long option(Kernel kernel, int fd, int option) {
    kernel.scratch.set(ValueLayout.JAVA_INT, Integer.BYTES, Integer.BYTES);
    long size = kernel.scratchAddress + Integer.BYTES;
    long result =
        kernel.call(SystemCall.GETSOCKOPT, fd, SOL_SOCKET, option, kernel.scratchAddress, size, 0);
    return result < 0 ? result : kernel.scratch.get(ValueLayout.JAVA_INT, 0);
  }
}
