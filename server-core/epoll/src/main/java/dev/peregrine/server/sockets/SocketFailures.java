package dev.peregrine.server.sockets;

import dev.peregrine.linux.Errno;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;

/** The exceptions for failed calls, of the classes that the JDK throws. */
final class SocketFailures {
  private SocketFailures() {}

  /** Returns the exception for a negative error number. */
  static SocketException of(long result) {
    int errno = (int) -result;
    String text = Errno.text(errno);
    return switch (errno) {
      case Errno.ECONNREFUSED, Errno.ETIMEDOUT, Errno.ENOTCONN -> new ConnectException(text);
      case Errno.EHOSTUNREACH -> new NoRouteToHostException(text);
      case Errno.EADDRINUSE, Errno.EADDRNOTAVAIL, Errno.EACCES -> new BindException(text);
      case Errno.ECONNRESET -> new SocketException("Connection reset");
      default -> new SocketException(text);
    };
  }

  /**
   * Returns the result of a call.
   *
   * @throws SocketException if it is a negative error number
   */
  static long check(long result) throws SocketException {
    if (result < 0) {
      throw of(result);
    }
    return result;
  }

  /** Returns a failure of a channel as one of a socket. */
  static SocketException of(IOException failure) {
    if (failure instanceof SocketException already) {
      return already;
    }
    if (failure instanceof ClosedChannelException) {
      return closed();
    }
    SocketException converted = new SocketException(failure.getMessage());
    var ignored = converted.initCause(failure);
    return converted;
  }

  static SocketException closed() {
    return new SocketException("Socket closed");
  }
}
