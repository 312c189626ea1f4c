package dev.peregrine.linux;

import java.io.IOException;
import java.net.BindException;

/** Error numbers of Linux, the same on all supported architectures. */
public final class Errno {
  public static final int ENOENT = 2;
  public static final int EINTR = 4;
  public static final int ENXIO = 6;
  public static final int EBADF = 9;
  public static final int EAGAIN = 11;
  public static final int EACCES = 13;
  public static final int EXDEV = 18;
  public static final int ENODEV = 19;
  public static final int ENOTDIR = 20;
  public static final int EINVAL = 22;
  public static final int ENFILE = 23;
  public static final int EMFILE = 24;
  public static final int EPIPE = 32;
  public static final int ENAMETOOLONG = 36;
  public static final int ELOOP = 40;
  public static final int EPROTO = 71;
  public static final int ENOTSOCK = 88;
  public static final int EMSGSIZE = 90;
  public static final int EPROTOTYPE = 91;
  public static final int ENOPROTOOPT = 92;
  public static final int EOPNOTSUPP = 95;
  public static final int EAFNOSUPPORT = 97;
  public static final int EADDRINUSE = 98;
  public static final int EADDRNOTAVAIL = 99;
  public static final int ENETDOWN = 100;
  public static final int ENETUNREACH = 101;
  public static final int ECONNABORTED = 103;
  public static final int ECONNRESET = 104;
  public static final int ENOTCONN = 107;
  public static final int ETIMEDOUT = 110;
  public static final int ECONNREFUSED = 111;
  public static final int EHOSTDOWN = 112;
  public static final int EHOSTUNREACH = 113;
  public static final int EALREADY = 114;
  public static final int EINPROGRESS = 115;

  private Errno() {}

  /**
   * Returns the result of a call.
   *
   * @throws IOException if it is a negative error number
   */
  public static long check(SystemCall call, long result) throws IOException {
    if (result < 0) {
      throw failure(call, result);
    }
    return result;
  }

  /**
   * Returns the exception for a call that has failed.
   *
   * @param result the negative error number, as {@link Kernel} returns it
   */
  public static IOException failure(SystemCall call, long result) {
    int errno = (int) -result;
    String text = call + ": " + text(errno);
    return switch (errno) {
      case EADDRINUSE, EADDRNOTAVAIL, EACCES -> new BindException(text);
      default -> new IOException(text);
    };
  }

  /** Returns an error number in words, and the number. */
  public static String text(int errno) {
    return describe(errno) + " (errno " + errno + ")";
  }

  private static String describe(int errno) {
    return switch (errno) {
      case EBADF -> "Bad file descriptor";
      case EACCES -> "Permission denied";
      case ENFILE -> "Too many open files in system";
      case EMFILE -> "Too many open files";
      case ENOENT -> "No such file or directory";
      case EPIPE -> "Broken pipe";
      case EPROTOTYPE -> "Socket of another type";
      case ECONNREFUSED -> "Connection refused";
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
