package dev.peregrine.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that is mapped from the system. Unlike memory of libc's allocator it returns to the system
 * when it is freed: the allocator keeps pieces of up to 32 MiB once one of that size was freed. And
 * pages take no memory before they are used. Thread-safe.
 */
public final class LinuxMemory {
  private static final long READ_WRITE = 3; // PROT_READ | PROT_WRITE
  private static final long PRIVATE_ANONYMOUS = 0x22; // MAP_PRIVATE | MAP_ANONYMOUS
  private static final Kernel KERNEL = new Kernel(); // one thread at a time

  private LinuxMemory() {}

  /** Links the system calls, so that later calls don't wait for that. */
  public static void prepare() {
    assert KERNEL.isOwned();
  }

  /**
   * Maps memory for as long as the arena lives. It is zero.
   *
   * @throws OutOfMemoryError if the system has none left
   */
  @SuppressWarnings("restricted") // callers check Linux.problem() first
  public static MemorySegment map(Arena arena, long bytes) {
    long address = call(SystemCall.MMAP, 0, bytes, READ_WRITE, PRIVATE_ANONYMOUS, -1);
    if (address < 0) { // addresses of programs are positive
      throw new OutOfMemoryError(Errno.failure(SystemCall.MMAP, address).getMessage());
    }
    try {
      return MemorySegment.ofAddress(address).reinterpret(bytes, arena, LinuxMemory::unmap);
    } catch (Throwable failure) {
      unmap(address, bytes);
      throw failure;
    }
  }

  private static void unmap(MemorySegment memory) {
    unmap(memory.address(), memory.byteSize());
  }

  private static void unmap(long address, long bytes) {
    long result = call(SystemCall.MUNMAP, address, bytes, 0, 0, 0);
    assert result == 0 : Errno.failure(SystemCall.MUNMAP, result);
  }

  private static long call(SystemCall call, long a, long b, long c, long d, long e) {
    synchronized (KERNEL) {
      return KERNEL.call(call, a, b, c, d, e, 0);
    }
  }
}
