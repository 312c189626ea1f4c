package dev.peregrine.bench.technique;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Changes an option of sockets that a server in this process has accepted; on Linux only. */
final class TcpOption {
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_NODELAY = 1;
  private static final int NAME_BYTES = 28; // struct sockaddr_in6
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfShort PORT =
      ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

  private TcpOption() {}

  /** Turns Nagle's algorithm on at the other end of a connection. */
  static void turnNagleOn(SocketChannel client) throws IOException {
    int port = ((InetSocketAddress) client.getLocalAddress()).getPort();
    List<Integer> found;
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      found =
          all.map(file -> Integer.valueOf(file.getFileName().toString()))
              .filter(descriptor -> peerPort(descriptor) == port)
              .toList();
    }
    Technique.check(found.size() == 1, "accepted sockets: " + found);
    MethodHandle setsockopt =
        function("setsockopt", INT, INT, INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment off = arena.allocate(INT);
      int descriptor = found.getFirst();
      int result =
          (int) setsockopt.invokeExact(descriptor, IPPROTO_TCP, TCP_NODELAY, off, Integer.BYTES);
      Technique.check(result == 0, "setsockopt");
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Returns the port of the other end; 0 if it is not a connected TCP socket. */
  private static int peerPort(int descriptor) {
    MethodHandle getpeername =
        function("getpeername", INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(NAME_BYTES, Long.BYTES);
      MemorySegment size = arena.allocate(INT);
      size.set(INT, 0, NAME_BYTES);
      int result = (int) getpeername.invokeExact(descriptor, name, size);
      return result == 0 ? Short.toUnsignedInt(name.get(PORT, Short.BYTES)) : 0;
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  @SuppressWarnings("restricted") // benchmarks are run with native access
  private static MethodHandle function(String name, MemoryLayout... parameters) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(INT, parameters));
  }
}
