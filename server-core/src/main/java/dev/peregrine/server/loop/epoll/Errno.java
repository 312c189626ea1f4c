package dev.peregrine.server.loop.epoll;

import java.io.IOException;
import java.net.BindException;

/** Error numbers of Linux, the same on all architectures that are supported. */
final class Errno {
  static final int EINTR = 4;
  static final int EBADF = 9;
  static final int EAGAIN = 11;
  static final int EACCES = 13;
  static final int ENFILE = 23;
  static final int EMFILE = 24;
  static final int EPIPE = 32;
  static final int EPROTO = 71;
  static final int ENOPROTOOPT = 92;
  static final int EOPNOTSUPP = 95;
  static final int EAFNOSUPPORT = 97;
  static final int EADDRINUSE = 98;
  static final int EADDRNOTAVAIL = 99;
  static final int ENETDOWN = 100;
  static final int ENETUNREACH = 101;
  static final int ECONNABORTED = 103;
  static final int ECONNRESET = 104;
  static final int ENOTCONN = 107;
  static final int ETIMEDOUT = 110;
  static final int EHOSTDOWN = 112;
  static final int EHOSTUNREACH = 113;

  private Errno() {}

  /**
   * The exception for a call that has failed.
   *
   * @param result the negative error number, as {@link Kernel} returns it
   */
  static IOException failure(SystemCall call, long result) {
    int errno = (int) -result;
    String text = call + ": " + describe(errno) + " (errno " + errno + ")";
    return switch (errno) {
      case EADDRINUSE, EADDRNOTAVAIL, EACCES -> new BindException(text);
      default -> new IOException(text);
    };
  }

  private static String describe(int errno) {
    return switch (errno) {
      case EBADF -> "Bad file descriptor";
      case EACCES -> "Permission denied";
      case ENFILE -> "Too many open files in system";
      case EMFILE -> "Too many open files";
      case EPIPE -> "Broken pipe";
      case EAFNOSUPPORT -> "Address family not supported";
      case EADDRINUSE -> "Address already in use";
      case EADDRNOTAVAIL -> "Cannot assign requested address";
      case ECONNRESET -> "Connection reset by peer";
      case ENOTCONN -> "Not connected";
      case ETIMEDOUT -> "Connection timed out";
      default -> "failed";
    };
  }
}
