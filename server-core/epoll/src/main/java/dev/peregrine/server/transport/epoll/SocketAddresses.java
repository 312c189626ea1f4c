package dev.peregrine.server.transport.epoll;

import dev.peregrine.linux.Errno;
import dev.peregrine.linux.Kernel;
import dev.peregrine.linux.LocalAddress;
import dev.peregrine.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Conversions between socket addresses and the system's structures. */
public final class SocketAddresses {
  public static final int AF_INET = 2;
  public static final int AF_INET6 = 10;

  private static final int PORT = 2;
  private static final int ADDRESS4 = 4;
  private static final int ADDRESS4_BYTES = 4;
  private static final int BYTES4 = 16;
  private static final int ADDRESS6 = 8;
  private static final int ADDRESS6_BYTES = 16;
  private static final int SCOPE6 = 24;
  private static final int BYTES6 = 28;
  private static final long PACKED = (1L << (Integer.SIZE + Short.SIZE)) - 1;
  private static final ValueLayout.OfInt NETWORK_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort NETWORK_SHORT =
      ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

  /** The result of {@link #packed} for an address that isn't of IPv4. */
  static final long NOT_PACKED = -1;

  private static final int ADDRESS_OF_MAPPED = ADDRESS6 + ADDRESS6_BYTES - ADDRESS4_BYTES;
  private static final int MAPPED = 0xFFFF; // before the address, after eight bytes of zeros

  /** The offset of an address's size in a kernel's scratch memory; the address is at 0. */
  public static final int SIZE_OFFSET = 64;

  /** The same for an address that may be of the Unix domain, which is larger. */
  private static final int LOCAL_SIZE_OFFSET = 112;

  private SocketAddresses() {}

  /**
   * Writes an address for a socket of a family; to {@link #AF_INET6}, every wildcard is {@code ::},
   * and another address of IPv4 is mapped.
   *
   * @return the structure's size in bytes; negative {@link Errno#EAFNOSUPPORT} for an address of
   *     IPv6 and {@link #AF_INET}
   */
  public static int write(InetSocketAddress address, int family, MemorySegment target) {
    InetAddress host = address.getAddress();
    if (family == AF_INET && host instanceof Inet6Address) {
      return -Errno.EAFNOSUPPORT; // its first bytes would be another address
    }
    target.fill((byte) 0);
    target.set(ValueLayout.JAVA_SHORT, 0, (short) family);
    target.set(NETWORK_SHORT, PORT, (short) address.getPort());
    byte[] bytes = host.getAddress();
    if (family == AF_INET) {
      MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, ADDRESS4, ADDRESS4_BYTES);
      return BYTES4;
    }
    if (host instanceof Inet6Address host6) {
      MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, ADDRESS6, ADDRESS6_BYTES);
      target.set(ValueLayout.JAVA_INT, SCOPE6, host6.getScopeId());
    } else if (!host.isAnyLocalAddress()) {
      target.set(NETWORK_INT, ADDRESS_OF_MAPPED - Integer.BYTES, MAPPED);
      MemorySegment.copy(
          bytes, 0, target, ValueLayout.JAVA_BYTE, ADDRESS_OF_MAPPED, ADDRESS4_BYTES);
    }
    return BYTES6;
  }

  /** Prepares the scratch memory for a call that writes an address there, and its size. */
  public static void expect(Kernel kernel) {
    kernel.scratch.set(ValueLayout.JAVA_INT, SIZE_OFFSET, SIZE_OFFSET);
  }

  /** Returns the address that a TCP socket is bound to. */
  public static InetSocketAddress ofSocket(Kernel kernel, int fd) throws IOException {
    expect(kernel);
    int ignored = readName(kernel, fd, SIZE_OFFSET);
    return read(kernel.scratch);
  }

  /** Returns the address that a TCP socket or a Unix domain socket is bound to. */
  static SocketAddress ofAnySocket(Kernel kernel, int fd) throws IOException {
    kernel.scratch.set(ValueLayout.JAVA_INT, LOCAL_SIZE_OFFSET, LOCAL_SIZE_OFFSET);
    int bytes = readName(kernel, fd, LOCAL_SIZE_OFFSET);
    boolean isUnix = kernel.scratch.get(ValueLayout.JAVA_SHORT, 0) == LocalAddress.FAMILY;
    return isUnix
        ? UnixDomainSocketAddress.of(LocalAddress.read(kernel.scratch, bytes))
        : read(kernel.scratch);
  }

  /** Returns the address that a socket of the Internet is bound to; null if it is another file. */
  static @Nullable InetSocketAddress nameOf(Kernel kernel, int fd) {
    return ofInternet(kernel, SystemCall.GETSOCKNAME, fd);
  }

  /** Returns the address that a socket is connected to; null if it isn't. */
  static @Nullable InetSocketAddress peerOf(Kernel kernel, int fd) {
    return ofInternet(kernel, SystemCall.GETPEERNAME, fd);
  }

  private static @Nullable InetSocketAddress ofInternet(Kernel kernel, SystemCall call, int fd) {
    expect(kernel);
    long size = kernel.scratchAddress + SIZE_OFFSET;
    if (kernel.call(call, fd, kernel.scratchAddress, size) < 0) {
      return null;
    }
    short family = kernel.scratch.get(ValueLayout.JAVA_SHORT, 0);
    return family == AF_INET || family == AF_INET6 ? read(kernel.scratch) : null;
  }

  private static int readName(Kernel kernel, int fd, int sizeOffset) throws IOException {
    long size = kernel.scratchAddress + sizeOffset;
    Errno.check(
        SystemCall.GETSOCKNAME,
        kernel.call(SystemCall.GETSOCKNAME, fd, kernel.scratchAddress, size));
    return kernel.scratch.get(ValueLayout.JAVA_INT, sizeOffset);
  }

  /**
   * Returns an address of IPv4 that the kernel has written, with its port, in 48 bits; {@link
   * #NOT_PACKED} for any other.
   */
  static long packed(MemorySegment source) {
    short family = source.get(ValueLayout.JAVA_SHORT, 0);
    boolean isMapped =
        family == AF_INET6
            && source.get(ValueLayout.JAVA_LONG_UNALIGNED, ADDRESS6) == 0
            && source.get(NETWORK_INT, ADDRESS_OF_MAPPED - Integer.BYTES) == MAPPED;
    if (family != AF_INET && !isMapped) {
      return NOT_PACKED;
    }
    long host = source.get(NETWORK_INT, isMapped ? ADDRESS_OF_MAPPED : ADDRESS4);
    return ((host << Short.SIZE) & PACKED) | Short.toUnsignedLong(source.get(NETWORK_SHORT, PORT));
  }

  /** Returns the address that {@link #packed} has packed. */
  static InetSocketAddress unpack(long packed) {
    int host = (int) (packed >>> Short.SIZE);
    byte[] bytes = {
      (byte) (host >>> 24), (byte) (host >>> 16), (byte) (host >>> 8), (byte) host,
    };
    try {
      return new InetSocketAddress(InetAddress.getByAddress(bytes), (int) (packed & 0xFFFF));
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible); // the length is valid
    }
  }

  /** Reads the address that the kernel has written. */
  static InetSocketAddress read(MemorySegment source) {
    int port = Short.toUnsignedInt(source.get(NETWORK_SHORT, PORT));
    try {
      return new InetSocketAddress(readHost(source), port);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible); // the length is valid
    }
  }

  private static InetAddress readHost(MemorySegment source) throws UnknownHostException {
    if (source.get(ValueLayout.JAVA_SHORT, 0) == AF_INET) {
      byte[] host = new byte[ADDRESS4_BYTES];
      MemorySegment.copy(source, ValueLayout.JAVA_BYTE, ADDRESS4, host, 0, host.length);
      return InetAddress.getByAddress(host);
    }
    byte[] host = new byte[ADDRESS6_BYTES];
    MemorySegment.copy(source, ValueLayout.JAVA_BYTE, ADDRESS6, host, 0, host.length);
    InetAddress address = InetAddress.getByAddress(host); // IPv4 for a mapped address
    int scope = source.get(ValueLayout.JAVA_INT, SCOPE6);
    return scope == 0 ? address : Inet6Address.getByAddress(null, host, scope);
  }
}
