package dev.peregrine.server.transport.epoll;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Memory for the arguments of a gathered write: a {@code struct msghdr} with its vector, and copies
 * of bytes that lie in the Java heap.
 */
final class IoVectors {
  // Arbitrary: four times the pieces that the outbound queue gathers, and few enough to stay in the
  // cache.
  private static final int VECTORS_MAX = 64;
  private static final int COPIED_BYTES_MAX = 64 * 1024;

  // struct msghdr, then the array of struct iovec
  private static final int HEADER_VECTORS = 16;
  private static final int HEADER_VECTOR_COUNT = 24;
  private static final int HEADER_BYTES = 56;
  private static final int VECTOR_BYTES = 16;

  private final MemorySegment memory =
      Arena.ofAuto().allocate(HEADER_BYTES + VECTORS_MAX * VECTOR_BYTES, Long.BYTES);
  private final long address = memory.address();
  private @Nullable MemorySegment copies;
  private int copiedBytes;

  IoVectors() {
    memory.set(ValueLayout.JAVA_LONG, HEADER_VECTORS, address + HEADER_BYTES);
  }

  /** Returns the address of the {@code struct msghdr} that {@link #fill} has filled. */
  long header() {
    return address;
  }

  /** Describes as many of the buffers' bytes as fit. Returns how many bytes these are. */
  long fill(ByteBuffer[] sources, int offset, int length) {
    int count = 0;
    long bytes = 0;
    copiedBytes = 0;
    boolean whole = true;
    for (int i = 0; i < length && count < VECTORS_MAX && whole; i++) {
      ByteBuffer source = sources[offset + i];
      int here = source.remaining();
      long start;
      if (source.isDirect()) {
        start = MemorySegment.ofBuffer(source).address();
      } else {
        here = Math.min(here, COPIED_BYTES_MAX - copiedBytes);
        start = copy(source, here);
        whole = here == source.remaining();
      }
      if (here > 0) {
        long vector = HEADER_BYTES + (long) count++ * VECTOR_BYTES;
        memory.set(ValueLayout.JAVA_LONG, vector, start);
        memory.set(ValueLayout.JAVA_LONG, vector + Long.BYTES, here);
        bytes += here;
      }
    }
    memory.set(ValueLayout.JAVA_LONG, HEADER_VECTOR_COUNT, count);
    return bytes;
  }

  /** Moves the buffers' positions over bytes that were written. */
  static void advance(ByteBuffer[] sources, int offset, long written) {
    long left = written;
    for (int i = offset; left > 0; i++) {
      ByteBuffer source = sources[i];
      int here = (int) Math.min(left, source.remaining());
      source.position(source.position() + here);
      left -= here;
    }
  }

  /** Returns native memory to read into, for a buffer of the Java heap. */
  MemorySegment copies() {
    MemorySegment existing = copies;
    if (existing == null) {
      existing = Arena.ofAuto().allocate(COPIED_BYTES_MAX);
      copies = existing;
    }
    return existing;
  }

  private long copy(ByteBuffer source, int bytes) {
    MemorySegment target = copies().asSlice(copiedBytes, bytes);
    target.copyFrom(MemorySegment.ofBuffer(source).asSlice(0, bytes));
    copiedBytes += bytes;
    return target.address();
  }
}
