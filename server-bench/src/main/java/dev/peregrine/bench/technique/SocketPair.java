package dev.peregrine.bench.technique;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Two connected Unix domain sockets of the C library. */
final class SocketPair implements AutoCloseable {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MethodHandle SOCKETPAIR = function("socketpair", INT, INT, INT, INT, LONG);
  private static final MethodHandle WRITE = function("write", LONG, INT, LONG, LONG);
  private static final MethodHandle RECV = function("recv", LONG, INT, LONG, LONG, INT);
  private static final MethodHandle READV = function("readv", LONG, INT, LONG, INT);
  private static final MethodHandle CLOSE = function("close", INT, INT);
  private static final int AF_UNIX = 1;
  private static final int SOCK_STREAM = 1;

  private final int near;
  private final int far;

  SocketPair() throws IOException {
    try (Arena memory = Arena.ofConfined()) {
      MemorySegment pair = memory.allocate(2 * INT.byteSize(), INT.byteAlignment());
      int result;
      try {
        result = (int) SOCKETPAIR.invokeExact(AF_UNIX, SOCK_STREAM, 0, pair.address());
      } catch (Throwable impossible) {
        throw new AssertionError(impossible);
      }
      if (result != 0) {
        throw new IOException("no pair of sockets");
      }
      near = pair.getAtIndex(INT, 0);
      far = pair.getAtIndex(INT, 1);
    }
  }

  /** Writes bytes at an address; returns how many the socket took. */
  long write(long address, long bytes) {
    try {
      return (long) WRITE.invokeExact(near, address, bytes);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Reads once, to one place. */
  long receive(long address, long bytes) {
    try {
      return (long) RECV.invokeExact(far, address, bytes, 0);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Reads once, to the places that an array of {@code struct iovec} lists. */
  long scatter(long vectors, int count) {
    try {
      return (long) READV.invokeExact(far, vectors, count);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Override
  public void close() {
    try {
      int ignored = (int) CLOSE.invokeExact(near) + (int) CLOSE.invokeExact(far);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  @SuppressWarnings("restricted") // benchmarks are run with native access
  private static MethodHandle function(
      String name, MemoryLayout result, MemoryLayout... arguments) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
  }
}
