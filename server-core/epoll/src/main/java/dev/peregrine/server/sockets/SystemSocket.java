package dev.peregrine.server.sockets;

import dev.peregrine.linux.Errno;
import dev.peregrine.server.transport.SocketWatch;
import dev.peregrine.server.transport.epoll.EpollWatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;

/** A socket by system calls, which loops on epoll watch. */
final class SystemSocket implements ClientSocket {
  private final int fd;
  private boolean reset; // by the peer; of the thread that receives

  private SystemSocket(int fd) {
    this.fd = fd;
  }

  static SystemSocket open() throws IOException {
    return new SystemSocket(SocketCalls.open());
  }

  @Override
  public Loops loops() {
    return Loops.EPOLL;
  }

  @Override
  public SocketWatch watch(SocketWatch.Listener listener) {
    return new EpollWatch(fd, listener);
  }

  @Override
  public boolean connect(InetSocketAddress remote) throws IOException {
    long result = SocketCalls.connect(fd, remote);
    if (result == -Errno.EINPROGRESS || result == -Errno.EALREADY || result == -Errno.EINTR) {
      return false;
    }
    return SocketFailures.check(result) == 0;
  }

  @Override
  public void bind(InetSocketAddress local) throws IOException {
    SocketFailures.check(SocketCalls.bind(fd, local));
  }

  @Override
  public InetSocketAddress localAddress() throws IOException {
    return SocketCalls.localAddress(fd);
  }

  /** Like the JDK, reports a reset each time; the system reports it once. */
  @Override
  public int receive(byte[] target, int offset, int length, byte[] beyond) throws IOException {
    long n = reset ? -Errno.ECONNRESET : SocketCalls.receive(fd, target, offset, length, beyond);
    if (n > 0) {
      return (int) n;
    }
    reset = n == -Errno.ECONNRESET;
    return n == 0 ? END : none(n);
  }

  @Override
  public int send(byte[] source, int offset, int length) throws IOException {
    long n = SocketCalls.send(fd, source, offset, length);
    return n >= 0 ? (int) n : none(n);
  }

  private static int none(long result) throws SocketException {
    if (result == -Errno.EAGAIN || result == -Errno.EINTR) {
      return 0;
    }
    throw SocketFailures.of(result);
  }

  @Override
  public int available() throws IOException {
    return (int) SocketFailures.check(SocketCalls.available(fd));
  }

  @Override
  public void shutdownInput() throws IOException {
    SocketFailures.check(SocketCalls.shutdown(fd, SocketCalls.SHUT_READ));
  }

  @Override
  public void shutdownOutput() throws IOException {
    SocketFailures.check(SocketCalls.shutdown(fd, SocketCalls.SHUT_WRITE));
  }

  @Override
  public void set(IntOption option, int value) throws SocketException {
    option.set(fd, value);
  }

  @Override
  public Object get(IntOption option) throws SocketException {
    return option.get(fd);
  }

  @Override
  public boolean polls() {
    return true;
  }

  @Override
  public void poll(boolean toRead, long nanos) throws IOException {
    long result = SocketCalls.poll(fd, toRead, nanos);
    if (result != -Errno.EINTR) {
      SocketFailures.check(result);
    }
  }

  @Override
  public boolean isReady(boolean toRead) throws IOException {
    return SocketCalls.poll(fd, toRead, 0) != 0;
  }

  @Override
  public void endPolls() {
    long ignored = SocketCalls.shutdown(fd, SocketCalls.SHUT_BOTH);
  }

  @Override
  public boolean isWatched() {
    return false;
  }

  @Override
  public void close() {
    SocketCalls.close(fd);
  }
}
