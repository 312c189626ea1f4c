package dev.peregrine.parser;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** A page of Linux memory between two without access rights: a load there crashes the VM. */
@SuppressWarnings("restricted") // calls C
public final class GuardedPage {
  private static final long PAGE = 4096;
  private static final int PROT_READ_WRITE = 3;
  private static final int PROT_NONE = 0;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x22;

  private final MemorySegment page;

  /** Maps the page, which is never unmapped. */
  public GuardedPage() {
    MemorySegment pages = mapped(3 * PAGE);
    protect(pages.asSlice(0, PAGE));
    protect(pages.asSlice(2 * PAGE, PAGE));
    page = pages.asSlice(PAGE, PAGE);
  }

  /** Returns the bytes at the start of the page. */
  public MemorySegment atStart(byte[] bytes) {
    return filled(page.asSlice(0, bytes.length), bytes);
  }

  /** Returns the bytes at the end of the page. */
  public MemorySegment atEnd(byte[] bytes) {
    return filled(page.asSlice(PAGE - bytes.length), bytes);
  }

  private static MemorySegment filled(MemorySegment segment, byte[] bytes) {
    return segment.copyFrom(MemorySegment.ofArray(bytes));
  }

  private static MemorySegment mapped(long bytes) {
    MethodHandle mmap =
        function(
            "mmap",
            FunctionDescriptor.of(
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG));
    try {
      var pages =
          (MemorySegment)
              mmap.invokeExact(0L, bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
      return pages.reinterpret(bytes, Arena.global(), null);
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  private static void protect(MemorySegment pages) {
    MethodHandle mprotect =
        function(
            "mprotect",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT));
    try {
      int failed = (int) mprotect.invokeExact(pages, pages.byteSize(), PROT_NONE);
      if (failed != 0) {
        throw new AssertionError("mprotect: " + failed);
      }
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  private static MethodHandle function(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
  }
}
