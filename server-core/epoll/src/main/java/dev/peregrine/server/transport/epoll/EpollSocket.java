package dev.peregrine.server.transport.epoll;

import dev.peregrine.linux.Errno;
import dev.peregrine.linux.Kernel;
import dev.peregrine.linux.LinuxFile;
import dev.peregrine.linux.SystemCall;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** A connected socket: one epoll_ctl in its life, then a recv and a send when needed. */
final class EpollSocket extends EpollHandle implements StreamSocket {
  private static final int EVENTS =
      EpollInstance.IN
          | EpollInstance.PRI
          | EpollInstance.OUT
          | EpollInstance.RDHUP
          | EpollInstance.ET;
  private static final int READ_EVENTS =
      EpollInstance.IN
          | EpollInstance.PRI
          | EpollInstance.RDHUP
          | EpollInstance.HUP
          | EpollInstance.ERR;
  private static final int WRITE_EVENTS = EpollInstance.OUT | EpollInstance.HUP | EpollInstance.ERR;
  private static final int SHORT_READ_EVENTS = READ_EVENTS & ~EpollInstance.IN;

  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int SHUT_WR = 1;
  private static final int SOL_SOCKET = 1;
  private static final int SO_LINGER = 13;

  private final long packedRemote; // see SocketAddresses; used until the address is needed
  private @Nullable SocketAddress remoteAddress; // null until it is needed
  private @Nullable SocketAddress localAddress; // null until it is needed

  /** True if a read that brings less than it may doesn't mean that the socket is empty. */
  private boolean readsShort;

  /** Creates a socket; the local address is null if it isn't known without a call. */
  EpollSocket(int fd, SocketAddress remoteAddress, @Nullable SocketAddress localAddress) {
    super(fd);
    this.packedRemote = SocketAddresses.NOT_PACKED;
    this.remoteAddress = remoteAddress;
    this.localAddress = localAddress;
  }

  /**
   * Creates a socket whose remote address few may ask for: the objects of an address are larger
   * than the socket.
   *
   * @param packedRemote as {@link SocketAddresses#packed} returned it
   */
  EpollSocket(int fd, long packedRemote, @Nullable SocketAddress localAddress) {
    super(fd);
    this.packedRemote = packedRemote;
    this.localAddress = localAddress;
  }

  @Override
  public void attach(Poller poller, ReadyHandler handler) throws IOException {
    attach(poller, handler, EVENTS);
  }

  @Override
  public void interest(int ops) {
    setInterest(ops);
  }

  @Override
  public boolean isWriteForgotten(boolean waits) {
    return waits && isForgotten(Ready.WRITE);
  }

  @Override
  int readyOps(int events) {
    if ((events & SHORT_READ_EVENTS) != 0) {
      readsShort = true;
    }
    return ((events & READ_EVENTS) != 0 ? Ready.READ : 0)
        | ((events & WRITE_EVENTS) != 0 ? Ready.WRITE : 0)
        | ((events & EpollInstance.ERR) != 0 ? Ready.ERROR : 0)
        | ((events & (EpollInstance.RDHUP | EpollInstance.ERR)) == EpollInstance.RDHUP
            ? Ready.INPUT_END
            : 0);
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    int bytes = target.remaining();
    if (bytes == 0) {
      return 0;
    }
    if (!target.isDirect()) {
      return readCopied(target);
    }
    int n = receive(poller().readAddress.of(target), bytes);
    if (n > 0) {
      target.position(target.position() + n);
    }
    return n;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int bytes = source.remaining();
    if (bytes == 0) {
      return 0;
    }
    if (!source.isDirect()) {
      return (int) write(new ByteBuffer[] {source}, 0, 1);
    }
    long address = poller().writeAddress.of(source);
    int n =
        (int)
            sent(
                SystemCall.SENDTO,
                kernel().call(SystemCall.SENDTO, fd, address, bytes, MSG_NOSIGNAL),
                bytes);
    source.position(source.position() + n);
    return n;
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    IoVectors vectors = poller().vectors;
    long bytes = vectors.fill(sources, offset, length);
    if (bytes == 0) {
      return 0;
    }
    long n =
        sent(
            SystemCall.SENDMSG,
            kernel().call(SystemCall.SENDMSG, fd, vectors.header(), MSG_NOSIGNAL),
            bytes);
    IoVectors.advance(sources, offset, n);
    return n;
  }

  /**
   * Sends by {@code sendfile} if the file's descriptor is accessible; a {@link FileChannel} of the
   * JDK hides it, and is copied through the poller's memory.
   */
  @Override
  public long sendFile(FileChannel file, long position, long count) throws IOException {
    return file instanceof LinuxFile known
        ? sendFile(known, position, count)
        : copyFile(file, position, count);
  }

  /**
   * Sends by {@code sendfile}, once more after a short count, which both the end of the file and a
   * full socket cause.
   */
  private long sendFile(LinuxFile file, long position, long count) throws IOException {
    long sent = 0;
    while (sent < count) {
      long n = file.sendTo(kernel(), fd, position + sent, count - sent);
      if (n == -Errno.EAGAIN) {
        clearReady(Ready.WRITE);
        break;
      }
      if (n == 0 || n == -Errno.EINTR) {
        break;
      }
      if (n == -Errno.EINVAL) { // a file system without sendfile
        return sent + copyFile(file, position + sent, count - sent);
      }
      if (n < 0) {
        throw Errno.failure(SystemCall.SENDFILE, n);
      }
      sent += n;
    }
    return sent;
  }

  /** Copies; bytes that the socket doesn't take are read again. */
  private long copyFile(FileChannel file, long position, long count) throws IOException {
    ByteBuffer copies = poller().vectors.copies().asByteBuffer();
    long sent = 0;
    while (sent < count) {
      copies.clear().limit((int) Math.min(copies.capacity(), count - sent));
      if (file.read(copies, position + sent) <= 0) {
        break;
      }
      sent += write(copies.flip());
      if (copies.hasRemaining()) {
        break;
      }
    }
    return sent;
  }

  @Override
  public void shutdownOutput() throws IOException {
    long result = kernel().call(SystemCall.SHUTDOWN, fd, SHUT_WR);
    if (result < 0 && result != -Errno.ENOTCONN) {
      throw Errno.failure(SystemCall.SHUTDOWN, result);
    }
  }

  @Override
  public long acknowledgedBytes() {
    return isClosed() ? UNKNOWN : poller().tcpInfo.acknowledgedBytes(kernel(), fd);
  }

  @Override
  public long unacknowledgedBytes() {
    return isClosed() ? UNKNOWN : poller().tcpInfo.unacknowledgedBytes(kernel(), fd);
  }

  @Override
  public SocketAddress localAddress() throws IOException {
    SocketAddress known = localAddress;
    if (known == null) {
      Kernel kernel = kernel();
      if (!kernel.isOwned()) {
        throw new IOException("the local address is not known outside of the event loop");
      }
      known = SocketAddresses.ofSocket(kernel, fd);
      localAddress = known;
    }
    return known;
  }

  @Override
  public void keepAddresses() {
    if (localAddress == null) {
      keepLocalAddress();
    }
  }

  private void keepLocalAddress() {
    try {
      localAddress();
    } catch (IOException unknown) {
      // A handler that is interested is notified.
    }
  }

  @Override
  public SocketAddress remoteAddress() {
    SocketAddress known = remoteAddress;
    if (known == null) {
      known = SocketAddresses.unpack(packedRemote);
      remoteAddress = known;
    }
    return known;
  }

  @Override
  public void reset() throws IOException {
    if (!isClosed()) {
      Kernel kernel = kernel();
      kernel.scratch.set(ValueLayout.JAVA_INT, 0, 1); // struct linger: on, for 0 seconds
      kernel.scratch.set(ValueLayout.JAVA_INT, Integer.BYTES, 0);
      kernel.call(
          SystemCall.SETSOCKOPT,
          fd,
          SOL_SOCKET,
          SO_LINGER,
          kernel.scratchAddress,
          2 * Integer.BYTES,
          0);
      close();
    }
  }

  @Override
  public boolean isOpen() {
    return !isClosed();
  }

  @Override
  public void close() throws IOException {
    closeDescriptor();
  }

  private int receive(long address, int bytes) throws IOException {
    long n = kernel().call(SystemCall.RECVFROM, fd, address, bytes, 0, 0, 0);
    if (n > 0) {
      if (n < bytes && !readsShort) {
        clearReady(Ready.READ); // the socket is empty: saves a read that only finds EAGAIN
      }
      return (int) n;
    }
    if (n == 0) {
      return -1;
    }
    if (n == -Errno.EAGAIN) {
      clearReady(Ready.READ);
      return 0;
    }
    if (n == -Errno.EINTR) {
      return 0;
    }
    throw Errno.failure(SystemCall.RECVFROM, n);
  }

  private int readCopied(ByteBuffer target) throws IOException {
    MemorySegment copies = poller().vectors.copies();
    int bytes = (int) Math.min(target.remaining(), copies.byteSize());
    int n = receive(copies.address(), bytes);
    if (n > 0) {
      target.put(copies.asSlice(0, n).asByteBuffer());
    }
    return n;
  }

  /** Returns how many bytes a call has sent, by its result. */
  private long sent(SystemCall call, long result, long offered) throws IOException {
    if (result == offered) {
      return result;
    }
    if (result >= 0 || result == -Errno.EAGAIN) {
      clearReady(Ready.WRITE); // the socket is full: the kernel reports when it has room again
      return Math.max(result, 0);
    }
    if (result == -Errno.EINTR) {
      return 0;
    }
    throw Errno.failure(call, result);
  }
}
