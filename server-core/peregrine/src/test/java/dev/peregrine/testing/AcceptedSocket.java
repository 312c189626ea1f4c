package dev.peregrine.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The server's end of a client's connection, in the same process: what the kernel says about it,
 * whichever transport has accepted it. On Linux only.
 */
public final class AcceptedSocket {
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_NODELAY = 1;
  private static final int TCP_INFO = 11;
  private static final int INFO_BYTES = 160;
  private static final int TOTAL_RETRANSMITTED = 100; // in struct tcp_info of linux/tcp.h
  private static final int DATA_SEGMENTS_OUT = 156;
  private static final int NAME_BYTES = 28; // struct sockaddr_in6
  private static final ValueLayout.OfShort PORT =
      ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final MethodHandle GETPEERNAME =
      function("getpeername", INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
  private static final MethodHandle GETSOCKOPT =
      function("getsockopt", INT, INT, INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);

  private final int descriptor;

  private AcceptedSocket(int descriptor) {
    this.descriptor = descriptor;
  }

  /** Returns the server's end; the server has accepted it once it has sent something. */
  public static AcceptedSocket of(RawClient client) {
    int port = ((InetSocketAddress) client.localAddress()).getPort();
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      List<Integer> found =
          all.map(file -> Integer.valueOf(file.getFileName().toString()))
              .filter(descriptor -> peerPort(descriptor) == port)
              .toList();
      if (found.size() != 1) {
        throw new AssertionError("sockets whose peer has the port " + port + ": " + found);
      }
      return new AcceptedSocket(found.getFirst());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Returns true if Nagle's algorithm is off, so that the kernel never waits for an ACK. */
  public boolean sendsAtOnce() {
    return option(TCP_NODELAY, Integer.BYTES, 0) != 0;
  }

  /**
   * Returns how many segments with content were sent, without repeated ones. A write that fits into
   * one segment, which has almost 32 KiB on the loopback interface, counts once.
   */
  public int segments() {
    return option(TCP_INFO, INFO_BYTES, DATA_SEGMENTS_OUT)
        - option(TCP_INFO, INFO_BYTES, TOTAL_RETRANSMITTED);
  }

  private int option(int name, int bytes, int offset) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(bytes, Long.BYTES);
      MemorySegment size = arena.allocate(INT);
      size.set(INT, 0, bytes);
      int result = (int) GETSOCKOPT.invokeExact(descriptor, IPPROTO_TCP, name, value, size);
      if (result != 0 || size.get(INT, 0) < bytes) {
        throw new AssertionError("the option " + name + " can't be read");
      }
      return value.get(INT, offset);
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Returns the port of the other end; 0 if it is not a connected TCP socket. */
  private static int peerPort(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(NAME_BYTES, Long.BYTES);
      MemorySegment size = arena.allocate(INT);
      size.set(INT, 0, NAME_BYTES);
      int result = (int) GETPEERNAME.invokeExact(descriptor, name, size);
      return result == 0 ? Short.toUnsignedInt(name.get(PORT, Short.BYTES)) : 0;
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  @SuppressWarnings("restricted") // tests run with native access
  private static MethodHandle function(String name, MemoryLayout... parameters) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(INT, parameters));
  }
}
