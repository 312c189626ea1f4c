package dev.peregrine.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Makes system calls, by libc's {@code syscall}: one function and one signature for all of them.
 * Addresses are plain longs, so that a call makes no objects. An instance has its own memory for
 * the error number and for small structures: one thread at a time, which is checked where
 * assertions are enabled.
 *
 * <p>The linkage isn't {@link Linker.Option#critical critical}: that saves 3 of 370 ns, but a long
 * copy in the kernel would hold up every safepoint.
 */
public final class Kernel {
  public static final int SCRATCH_BYTES = 128; // as large as struct sockaddr_storage

  private static final MethodHandle SYSCALL = link();

  static {
    Linux.linked();
  }

  private final MemorySegment errno;

  /** Memory for a structure that is passed to a call. */
  public final MemorySegment scratch;

  public final long scratchAddress;

  private @Nullable Thread owner;

  public Kernel() {
    // Automatic: passing memory of a shared arena to a call would cost an atomic operation.
    Arena memory = Arena.ofAuto();
    errno = memory.allocate(Linker.Option.captureStateLayout());
    scratch = memory.allocate(SCRATCH_BYTES, Long.BYTES);
    scratchAddress = scratch.address();
  }

  /** From now on only that thread may use this instance. */
  public void confineTo(Thread thread) {
    owner = thread;
  }

  /** Returns true if the calling thread may use this instance. */
  @SuppressWarnings("ReferenceEquality") // threads are compared by identity
  public boolean isOwned() {
    return owner == null || owner == Thread.currentThread();
  }

  /**
   * Makes a call.
   *
   * @return the result of the call; if it failed, the negative error number (see {@link Errno})
   */
  public long call(SystemCall call, long a, long b, long c, long d, long e, long f) {
    assert isOwned() : "a loop's kernel is used by " + Thread.currentThread();
    long result;
    try {
      result = (long) SYSCALL.invokeExact(errno, call.number, a, b, c, d, e, f);
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
    return result == -1 ? -errno.get(ValueLayout.JAVA_INT, 0) : result;
  }

  public long call(SystemCall call, long a, long b, long c, long d) {
    return call(call, a, b, c, d, 0, 0);
  }

  public long call(SystemCall call, long a, long b, long c) {
    return call(call, a, b, c, 0, 0, 0);
  }

  public long call(SystemCall call, long a, long b) {
    return call(call, a, b, 0, 0, 0, 0);
  }

  /** Closes a descriptor. It is closed even if the call fails; a retry could close another file. */
  public long close(int fd) {
    return call(SystemCall.CLOSE, fd, 0);
  }

  /** Sets a socket option that is an int. */
  public long setOption(int fd, int level, int option, int value) {
    scratch.set(ValueLayout.JAVA_INT, 0, value);
    return call(SystemCall.SETSOCKOPT, fd, level, option, scratchAddress, Integer.BYTES, 0);
  }

  @SuppressWarnings("restricted") // EpollTransport checks first that native access is enabled
  private static MethodHandle link() {
    Linker linker = Linker.nativeLinker();
    ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("syscall"),
        FunctionDescriptor.of(word, word, word, word, word, word, word, word),
        Linker.Option.firstVariadicArg(1),
        Linker.Option.captureCallState("errno"));
  }
}
