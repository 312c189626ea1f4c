package dev.peregrine.server.transport.epoll;

import dev.peregrine.linux.Errno;
import dev.peregrine.linux.Kernel;
import dev.peregrine.linux.LocalAddress;
import dev.peregrine.linux.SystemCall;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A listening socket. Accepted sockets inherit its options, which are set once, here. */
final class EpollListener extends EpollHandle implements Listener {
  private static final int SOCK_STREAM = 1;
  private static final int SOCK_NONBLOCK = 0x800;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int SOL_SOCKET = 1;
  private static final int SO_REUSEADDR = 2;
  private static final int SO_REUSEPORT = 15;
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_NODELAY = 1;
  private static final int SO_ATTACH_FILTER = 26;
  private static final int IPPROTO_IPV6 = 41;
  private static final int IPV6_V6ONLY = 26;

  /**
   * A classic BPF program that drops segments with the SYN flag and passes all others. Each word is
   * a {@code struct sock_filter}: operand, offsets of a jump, operation.
   */
  private static final long[] DROP_SYN = {
    0x0000_000D_0000_0030L, // load the byte at 13: the flags of the TCP header
    0x0000_0002_0100_0045L, // unless the bit of SYN is set, skip one
    0x0000_0000_0000_0006L, // return 0: drop
    0xFFFF_FFFF_0000_0006L, // return all of it: pass
  };

  /**
   * The time for handshakes under way: a round trip within a data centre. No longer, because each
   * client that begins one meanwhile sends its SYN again after a second.
   */
  private static final long HANDSHAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final SocketAddress localAddress;

  /**
   * The local address of every accepted connection; null for a wildcard, where each connection has
   * its own.
   */
  private final @Nullable SocketAddress acceptedAddress;

  private volatile boolean shared;

  private EpollListener(int fd, SocketAddress localAddress) {
    super(fd);
    this.localAddress = localAddress;
    boolean any =
        localAddress instanceof InetSocketAddress tcp && tcp.getAddress().isAnyLocalAddress();
    this.acceptedAddress = any ? null : localAddress;
  }

  static EpollListener listen(
      UnixDomainSocketAddress bound, UnixDomainSocketAddress known, int backlog)
      throws IOException {
    Kernel kernel = new Kernel();
    int fd = (int) Errno.check(SystemCall.SOCKET, socket(kernel, LocalAddress.FAMILY));
    try {
      int bytes = LocalAddress.write(bound.getPath().toString(), kernel.scratch);
      Errno.check(SystemCall.BIND, kernel.call(SystemCall.BIND, fd, kernel.scratchAddress, bytes));
      Errno.check(SystemCall.LISTEN, kernel.call(SystemCall.LISTEN, fd, backlog));
      return new EpollListener(fd, known);
    } catch (Throwable failure) {
      kernel.close(fd);
      throw failure;
    }
  }

  static EpollListener listen(InetSocketAddress address, int backlog, boolean reusePort)
      throws IOException {
    Kernel kernel = new Kernel();
    int family = family(kernel, address);
    int fd = (int) Errno.check(SystemCall.SOCKET, socket(kernel, family));
    try {
      set(kernel, fd, SOL_SOCKET, SO_REUSEADDR);
      set(kernel, fd, IPPROTO_TCP, TCP_NODELAY);
      if (reusePort) {
        set(kernel, fd, SOL_SOCKET, SO_REUSEPORT);
      }
      if (family == SocketAddresses.AF_INET6) {
        Errno.check(SystemCall.SETSOCKOPT, kernel.setOption(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0));
      }
      int bytes = SocketAddresses.write(address, family, kernel.scratch);
      Errno.check(SystemCall.BIND, kernel.call(SystemCall.BIND, fd, kernel.scratchAddress, bytes));
      Errno.check(SystemCall.LISTEN, kernel.call(SystemCall.LISTEN, fd, backlog));
      return new EpollListener(fd, SocketAddresses.ofSocket(kernel, fd));
    } catch (Throwable failure) {
      kernel.close(fd);
      throw failure;
    }
  }

  /**
   * Takes over a socket that listens already.
   *
   * @param known the address that it is known by; null for the one that it is bound to
   */
  static EpollListener adopt(int fd, @Nullable SocketAddress known, int backlog)
      throws IOException {
    Kernel kernel = new Kernel();
    try {
      SocketAddress bound = SocketAddresses.ofAnySocket(kernel, fd);
      if (bound instanceof InetSocketAddress) {
        set(kernel, fd, IPPROTO_TCP, TCP_NODELAY);
      }
      Errno.check(SystemCall.LISTEN, kernel.call(SystemCall.LISTEN, fd, backlog));
      return new EpollListener(fd, known == null ? bound : known);
    } catch (Throwable failure) {
      kernel.close(fd);
      throw failure;
    }
  }

  /** Takes over a descriptor of a socket of this process that listens; closes it if that fails. */
  static EpollListener ofListening(int fd, SocketAddress localAddress) throws IOException {
    Kernel kernel = new Kernel();
    try {
      set(kernel, fd, IPPROTO_TCP, TCP_NODELAY);
      return new EpollListener(fd, localAddress);
    } catch (Throwable failure) {
      kernel.close(fd);
      throw failure;
    }
  }

  @Override
  public void attach(Poller poller, ReadyHandler handler) throws IOException {
    attach(poller, handler, EpollInstance.IN | EpollInstance.ET);
    setInterest(Ready.ACCEPT);
  }

  @Override
  public @Nullable StreamSocket accept() throws IOException {
    Kernel kernel = kernel();
    long result;
    do {
      result = accept(kernel);
    } while (isOver(result));
    if (result == -Errno.EAGAIN) {
      clearReady(Ready.ACCEPT);
      return null;
    }
    if (result == -Errno.EBADF || result == -Errno.EINVAL) {
      throw new ClosedChannelException(); // the descriptor is closed, or doesn't listen
    }
    int accepted = (int) Errno.check(SystemCall.ACCEPT4, result);
    try {
      return accepted(accepted, kernel);
    } catch (Throwable failure) {
      kernel.close(accepted);
      throw failure;
    }
  }

  private EpollSocket accepted(int descriptor, Kernel kernel) {
    if (isUnix()) {
      return new EpollSocket(descriptor, StreamSocket.UNNAMED, acceptedAddress);
    }
    long packed = SocketAddresses.packed(kernel.scratch);
    return packed == SocketAddresses.NOT_PACKED
        ? new EpollSocket(descriptor, SocketAddresses.read(kernel.scratch), acceptedAddress)
        : new EpollSocket(descriptor, packed, acceptedAddress);
  }

  private long accept(Kernel kernel) {
    int flags = SOCK_NONBLOCK | SOCK_CLOEXEC;
    if (isUnix()) {
      return kernel.call(SystemCall.ACCEPT4, fd, 0, 0, flags);
    }
    SocketAddresses.expect(kernel);
    long size = kernel.scratchAddress + SocketAddresses.SIZE_OFFSET;
    return kernel.call(SystemCall.ACCEPT4, fd, kernel.scratchAddress, size, flags);
  }

  private boolean isUnix() {
    return localAddress instanceof UnixDomainSocketAddress;
  }

  @Override
  public void listening(boolean on) {
    setInterest(on ? Ready.ACCEPT : 0);
  }

  /**
   * Drops new handshakes by a socket filter. Neither {@code shutdown} nor a second {@code listen}
   * could take its place: the first resets the connections that wait to be accepted, the second
   * leaves room for one. A client whose SYN is dropped sends it again after a second; by then the
   * port is closed, or another socket of its SO_REUSEPORT group takes it. The filter belongs to the
   * socket, so it would also hold off the clients of another process that shares it.
   */
  @Override
  public long stopListening() {
    if (isUnix()) {
      return 0; // its file is deleted, and Unix sockets have no handshakes
    }
    Kernel kernel = kernel();
    for (int i = 0; i < DROP_SYN.length; i++) {
      kernel.scratch.set(ValueLayout.JAVA_LONG, (long) i * Long.BYTES, DROP_SYN[i]);
    }
    long program = (long) DROP_SYN.length * Long.BYTES; // struct sock_fprog: count, address
    kernel.scratch.set(ValueLayout.JAVA_LONG, program, DROP_SYN.length);
    kernel.scratch.set(ValueLayout.JAVA_LONG, program + Long.BYTES, kernel.scratchAddress);
    long result =
        kernel.call(
            SystemCall.SETSOCKOPT,
            fd,
            SOL_SOCKET,
            SO_ATTACH_FILTER,
            kernel.scratchAddress + program,
            2 * Long.BYTES,
            0);
    return result < 0 ? 0 : HANDSHAKE_NANOS; // a sandbox may forbid the call
  }

  @Override
  public SocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public void setShared(boolean on) {
    shared = on;
  }

  @Override
  public boolean isShared() {
    return shared;
  }

  @Override
  public int descriptor() {
    return fd;
  }

  @Override
  public void close() throws IOException {
    if (shared) {
      deregister();
    }
    closeDescriptor();
  }

  @Override
  int readyOps(int events) {
    return Ready.ACCEPT;
  }

  /**
   * Returns true if accept failed because the connection has ended already, so that the next one
   * can be accepted.
   */
  private static boolean isOver(long result) {
    return switch ((int) -result) {
      case Errno.EINTR,
          Errno.ECONNABORTED,
          Errno.EPROTO,
          Errno.ENOPROTOOPT,
          Errno.EOPNOTSUPP,
          Errno.ENETDOWN,
          Errno.ENETUNREACH,
          Errno.EHOSTDOWN,
          Errno.EHOSTUNREACH ->
          true;
      default -> false;
    };
  }

  /**
   * Returns the family to listen with: a wildcard address of either family listens on both, where
   * the system has both.
   */
  private static int family(Kernel kernel, InetSocketAddress address) {
    if (address.getAddress() instanceof Inet6Address) {
      return SocketAddresses.AF_INET6;
    }
    if (!address.getAddress().isAnyLocalAddress()
        || Boolean.getBoolean("java.net.preferIPv4Stack")) {
      return SocketAddresses.AF_INET;
    }
    long probe = socket(kernel, SocketAddresses.AF_INET6);
    if (probe < 0) {
      return SocketAddresses.AF_INET;
    }
    kernel.close((int) probe);
    return SocketAddresses.AF_INET6;
  }

  private static long socket(Kernel kernel, int family) {
    int type = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
    return kernel.call(SystemCall.SOCKET, family, type, 0);
  }

  private static void set(Kernel kernel, int fd, int level, int option) throws IOException {
    Errno.check(SystemCall.SETSOCKOPT, kernel.setOption(fd, level, option, 1));
  }
}
