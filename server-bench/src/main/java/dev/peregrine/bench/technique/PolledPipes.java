package dev.peregrine.bench.technique;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Pipes of the C library, with poll(2), which {@code java.nio} doesn't have. */
final class PolledPipes implements Pipes {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MethodHandle PIPE = function("pipe", INT, LONG);
  private static final MethodHandle POLL = function("poll", INT, LONG, LONG, INT);
  private static final MethodHandle READ = function("read", LONG, INT, LONG, LONG);
  private static final MethodHandle WRITE = function("write", LONG, INT, LONG, LONG);
  private static final MethodHandle CLOSE = function("close", INT, INT);

  // struct pollfd
  private static final int POLL_BYTES = 8;
  private static final int EVENTS = 4;
  private static final int FOUND = 6;
  private static final short IN = 1;

  private final Arena memory = Arena.ofConfined();
  private final MemorySegment polled;
  private final MemorySegment oneByte = memory.allocate(1);
  private final int[] sources;
  private final int[] sinks;

  PolledPipes(int count) throws IOException {
    sources = new int[count];
    sinks = new int[count];
    polled = memory.allocate((long) POLL_BYTES * count, Long.BYTES);
    MemorySegment pair = memory.allocate(2 * INT.byteSize(), INT.byteAlignment());
    for (int i = 0; i < count; i++) {
      if (callInt(PIPE, pair.address()) != 0) {
        throw new IOException("no pipe " + i);
      }
      sources[i] = pair.getAtIndex(INT, 0);
      sinks[i] = pair.getAtIndex(INT, 1);
      polled.set(INT, (long) POLL_BYTES * i, sources[i]);
      polled.set(ValueLayout.JAVA_SHORT, (long) POLL_BYTES * i + EVENTS, IN);
    }
  }

  @Override
  public void write(int pipe) throws IOException {
    transfer(WRITE, sinks[pipe]);
  }

  @Override
  public int readReady() throws IOException {
    int found = poll();
    int left = found;
    for (int i = 0; left > 0; i++) {
      if (polled.get(ValueLayout.JAVA_SHORT, (long) POLL_BYTES * i + FOUND) != 0) {
        transfer(READ, sources[i]);
        left--;
      }
    }
    return found;
  }

  @Override
  public void close() {
    for (int i = 0; i < sources.length; i++) {
      try {
        int ignored = (int) CLOSE.invokeExact(sources[i]) + (int) CLOSE.invokeExact(sinks[i]);
      } catch (Throwable impossible) {
        throw new AssertionError(impossible);
      }
    }
    memory.close();
  }

  private int poll() {
    try {
      return (int) POLL.invokeExact(polled.address(), (long) sources.length, 0);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static int callInt(MethodHandle function, long address) {
    try {
      return (int) function.invokeExact(address);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  private void transfer(MethodHandle function, int descriptor) throws IOException {
    long n;
    try {
      n = (long) function.invokeExact(descriptor, oneByte.address(), 1L);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
    if (n != 1) {
      throw new IOException(n + " bytes");
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
