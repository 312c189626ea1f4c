package dev.peregrine.server.config;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A source of the direct memory that event loops divide into buffers, in place of the server's own:
 * for a program that has an allocator already, and wants one pool, one limit and one metric for
 * all. See {@code HttpServerBuilder.memory}.
 *
 * <p>An event loop takes 1 MiB at a time, when no buffer of what it has taken is free, and a larger
 * power of two for a larger buffer. Requests that find a free buffer never reach the source. Memory
 * that no buffer has needed for some seconds is given back, and the rest when the server has ended.
 *
 * <p>{@link #take} is called on the threads of event loops, which serve nothing while it lasts.
 * Memory is given back on any thread. Thread-safe.
 */
@FunctionalInterface
public interface MemorySource {
  /**
   * Takes memory. Its content doesn't matter.
   *
   * <p>If this throws anything, or returns memory that doesn't fit, the work that needs the memory
   * fails as if there was no direct memory left: its connection ends, and the others continue. The
   * next buffer that needs memory calls again.
   *
   * @param bytes how much: a power of two, from 1 MiB to 1 GiB
   * @throws OutOfMemoryError if the source has none left
   */
  Region take(int bytes);

  /**
   * Memory that a source has given, until the server gives it back.
   *
   * @param memory exactly as large as asked for, outside of the heap, writable, and accessible from
   *     every thread until the owner is closed
   * @param owner closed once, on any thread, when the server doesn't need the memory any more; what
   *     that throws is logged, and has no other effect
   */
  record Region(MemorySegment memory, AutoCloseable owner) {
    public Region {
      Objects.requireNonNull(memory);
      Objects.requireNonNull(owner);
    }
  }
}
